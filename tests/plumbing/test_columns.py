"""Columns on disk hold the blocks that were written whole, and nothing of the one that was not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg import columns
from ecqg.columns import Columns

DTYPES = {"a": np.int32, "b": np.dtype([("x", np.uint32), ("y", np.uint32)])}
BLOCKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5)


def block(a: int, b: int, value: int) -> dict[str, np.ndarray]:
    pairs = np.zeros(b, DTYPES["b"])
    pairs["x"], pairs["y"] = value, np.arange(b)
    return {"a": np.full(a, value, np.int32), "b": pairs}


@given(BLOCKS, st.integers(0, 4), st.binary(max_size=9))
def test_whole_blocks_are_found_again(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[tuple[int, int]], stop: int, torn: bytes
) -> None:
    folder = tmp_path_factory.mktemp("columns") / "new"
    blocks = [block(a, b, value) for value, (a, b) in enumerate(sizes)]
    first = Columns(folder, DTYPES)
    for one in blocks[:stop]:
        first.append(**one)
    for name in DTYPES:
        with (folder / name).open("ab") as file:
            file.write(torn)
    second = Columns(folder, DTYPES)
    assert second.lengths == first.lengths
    for one in blocks[stop:]:
        second.append(**one)
    for name, dtype in DTYPES.items():
        expected = np.concatenate([np.empty(0, dtype), *(one[name] for one in blocks)])
        assert second.read(name).dtype == dtype
        assert second.read(name).tobytes() == expected.tobytes()
        assert second.lengths[name] == len(expected)


def test_a_block_counts_when_all_its_columns_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Columns(tmp_path, DTYPES)
    table.append(**block(2, 1, 1))

    def fail(path: Path, value: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(columns, "write_json", fail)
        with pytest.raises(KeyboardInterrupt):
            table.append(**block(3, 3, 2))
    again = Columns(tmp_path, DTYPES)
    assert again.lengths == {"a": 2, "b": 1}
    assert again.read("a").tolist() == [1, 1]


def test_another_dtype_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="int64 for a, which is int32"):
        Columns(tmp_path, DTYPES).append(a=np.zeros(1, np.int64))
