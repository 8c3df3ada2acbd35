from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus import passage_file
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.errors import InputError

HEADER = "id\ttext\ttitle\n"
# As in DPR's psgs_w100.tsv: quoted where the text holds quotes, bare elsewhere.
REAL = (
    HEADER
    + '1\t"Aaron Aaron ( or ; ""Ahärôn"") is a prophet and the brother of Moses."\tAaron\n'
    + "2\tGod at Sinai granted Aaron the priesthood for himself and his male descendants.\tAaron\n"
    + '3\t"""Heroes"" is a song."\t"""Heroes"" (song)"\n'
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_reads_what_dprs_reader_reads(tmp_path: Path) -> None:
    path = write(tmp_path / "p.tsv", REAL)
    with path.open(encoding="utf-8", newline="") as file:
        expected = list(csv.reader(file, delimiter="\t"))[1:]
    assert [list(entry) for entry in read_passage_file(path)] == expected


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\x00"), max_size=30)


@given(st.lists(st.tuples(text.filter(str.strip), text), min_size=1, max_size=5))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("p") / "p.tsv"
    entries = [Entry(str(i), body, title) for i, (body, title) in enumerate(rows)]
    assert write_passage_file(path, iter(entries)) == len(entries)
    assert list(read_passage_file(path)) == entries
    with path.open(encoding="utf-8", newline="") as file:
        assert [Entry(*row) for row in csv.reader(file, delimiter="\t")][1:] == entries


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", ": no passages"),
        (HEADER, ": no passages"),
        ("1\ttext\ttitle\n", ":1: no header"),
        ("id\ttitle\ttext\n", ":1: the columns are id, title, text, in another order; write id"),
        (HEADER + "1\ttext\n", ":2: 2 tab-separated fields where 3 belong"),
        (HEADER + "1\ta\tb\tc\n", ":2: 4 tab-separated fields where 3 belong"),
        (HEADER + "1\ta\tb\n\n", ":3: 0 tab-separated fields where 3 belong"),
        (HEADER + '1\t"a\tb\n2\tc\td\n', ":2: malformed"),
        (HEADER + '1\t"a" and b\tc\n', ":2: malformed"),
        (HEADER + "1\t \tb\n", ":2: an empty passage"),
        (HEADER + "1\ta\tb\n2\ta\0\tb\n", ":3: a NUL character; take it out"),
        (HEADER + "\ta\tb\n", ":2: the id '' is empty"),
        (HEADER + "a b\ta\tb\n", ":2: the id 'a b' is empty or holds white space"),
        (HEADER + "1\ta\tb\n2\ta\tb\n1\ta\tb\n", ":4: the id '1' also stands on line 2"),
    ],
)
def test_each_complaint_names_file_and_line(tmp_path: Path, content: str, complaint: str) -> None:
    path = write(tmp_path / "p.tsv", content)
    with pytest.raises(InputError) as caught:
        list(read_passage_file(path))
    message = str(caught.value)
    assert message.startswith(f"{path}{complaint}")
    assert "; " in message
    assert "\n" not in message


def test_equal_hashes_are_no_duplicates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_file, "hash", lambda text: 7, raising=False)
    unique = write(tmp_path / "p.tsv", HEADER + "1\ta\tb\n2\ta\tb\n3\ta\tb\n")
    assert len(list(read_passage_file(unique))) == 3
    twice = write(tmp_path / "q.tsv", HEADER + "1\ta\tb\n2\ta\tb\n2\ta\tb\n")
    with pytest.raises(InputError, match=r"q\.tsv:4: the id '2' also stands on line 3"):
        list(read_passage_file(twice))


def test_reads_as_a_stream(tmp_path: Path) -> None:
    path = write(tmp_path / "p.tsv", HEADER + "1\ta\tb\nmalformed\n")
    stream = read_passage_file(path)
    assert next(stream).id == "1"
    with pytest.raises(InputError):
        next(stream)


def test_a_line_break_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    with pytest.raises(ValueError, match="line break"):
        write_passage_file(path, [Entry("1", "a\nb", "t")])
    assert list(tmp_path.iterdir()) == []
