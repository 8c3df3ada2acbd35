from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus import passages as module
from ecqg.corpus.arrow_file import arrow_writer
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.errors import InputError

PASSAGES = [
    Passage(0, "a", "T", "One. Two. Three.", (0, 5, 10)),
    Passage(1, "n:7", "", "Ünï.", (0,)),
    Passage(2, "c", "U", "Four. Five.", (0, 6)),
]


def test_round_trip_over_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH_ROWS", 2)
    path = tmp_path / "passages.arrow"
    assert write_passages(path, iter(PASSAGES)) == 3
    store = Passages(path)
    assert list(store) == PASSAGES
    assert [store[i] for i in range(3)] == PASSAGES
    assert store[-1] == PASSAGES[2]
    assert store[0:2] == PASSAGES[:2]
    assert len(store) == 3
    assert store.rows_by_id() == {"a": 0, "n:7": 1, "c": 2}
    assert store.ids().to_pylist() == ["a", "n:7", "c"]
    with pytest.raises(IndexError):
        store[3]


def test_same_passages_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_passages(tmp_path / name, PASSAGES)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    def broken() -> list[Passage]:
        raise InputError("a malformed line", remedy="mend it")

    with pytest.raises(InputError):
        write_passages(tmp_path / "p.arrow", (p for p in [*PASSAGES, *broken()]))
    assert list(tmp_path.iterdir()) == []


@given(st.sets(st.integers(1, 30), max_size=5), st.integers(0, 40))
def test_the_sentence_at_an_offset(cuts: set[int], offset: int) -> None:
    passage = Passage(0, "a", "", "x" * 40, (0, *sorted(cuts)))
    spans = passage.sentences()
    assert [spans[0][0], spans[-1][1]] == [0, 40]
    assert "".join(passage.text[a:b] for a, b in spans) == passage.text
    start, end = spans[passage.sentence_at(offset)]
    assert start <= offset
    assert offset < end or end == 40


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b"", "it carries no digest"), (b"no arrow", "it carries no digest")],
)
def test_what_is_no_store_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "p.arrow"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=rf"p\.arrow: cannot be read as Arrow \({said}"):
        Passages(path)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.arrow"
    table = pa.table({"id": ["1"]})
    with arrow_writer(path, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(InputError, match="has other columns"):
        Passages(path)
