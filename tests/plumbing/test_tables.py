"""Tables are read back as they were written, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.tables import number, read_frame, read_table, read_values, write_table, write_values

HEADER = ("name", "k", "value")
TYPES = {"k": int, "value": number}
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0\ufeff"), max_size=9)
NUMBER = st.floats(allow_nan=False)


@given(st.lists(st.tuples(TEXT, st.integers(0, 99), NUMBER)))
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int, float]]
) -> None:
    path = tmp_path_factory.mktemp("table") / "a.csv"
    write_table(path, HEADER, rows)
    frame = read_frame(path, HEADER, TYPES)
    assert isinstance(frame, pd.DataFrame)
    assert [*frame.itertuples(index=False, name=None)] == rows
    assert [row["k"] for row in read_table(path, HEADER)] == [str(k) for _, k, _ in rows]


def test_an_empty_cell_is_no_number(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", HEADER, [("x", 1, None), ("y", 2, 0.5)])
    frame = read_frame(tmp_path / "a.csv", HEADER, TYPES)
    assert frame.value.isna().tolist() == [True, False]
    assert list(frame.k) == [1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,k\n", ":1: 'name,k' where 'name,k,value' belongs; remake it"),
        ("", ":1: '' where"),
        ("name,k,value\nx,1\n", ":2: 2 cells where 3 belong"),
        ("name,k,value\nx,1,2,3\n", ":2: 4 cells where 3 belong"),
        ("name,k,value\nx,1,2\n\ny,1,2\n", ":3: 0 cells where 3 belong"),
        ("name,k,value\nx,1,2\ny,one,2\n", ":3: k is 'one'"),
        ("name,k,value\nx,,2\n", ":2: k is ''"),
        ("name,k,value\nx,1,2.5.1\n", ":2: value is '2.5.1'"),
        ("name,k,value\nx,1,2", ":2: the last line has no end"),
        ('name,k,value\n"x"y,1,2\n', ":2: no CSV"),
        ('name,k,value\nx,1,2\n"y,1,2\nz,1,2\n', ":4: no CSV (unexpected end of data)"),
        (b"name,k,value\n\xff,1,2\n", ":2: not UTF-8"),
    ],
)
def test_damage_is_one_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as error:
        read_frame(path, HEADER, TYPES, "remake it")
    assert f"a.csv{said}" in str(error.value)
    path.unlink()
    with pytest.raises(InputError, match=r"a\.csv: no such file; remake it"):
        read_frame(path, HEADER, TYPES, "remake it")


@pytest.mark.parametrize(
    "value", ["[" * 100_000, '"""\\ud800"""', "9" * 5000, "[1]", "{}", "x", "", "1 2"]
)
def test_a_value_that_is_none_is_one_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "a.csv"
    write_values(path, {"b": {"c": [1, 2.5, True, None, "ü"]}})
    assert read_values(path) == {"b": {"c": {"1": 1, "2": 2.5, "3": True, "4": None, "5": "ü"}}}
    path.write_text(f"name,value\na,1\nb,{value}\n")
    with pytest.raises(InputError, match=r"a\.csv:3: b is .*; make it again"):
        read_values(path)
