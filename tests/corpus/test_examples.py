"""Files of examples whose passages are rows of a collection."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.examples import Example, read_examples, write_compact, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.errors import InputError

COUNT = 9
ROWS = st.integers(0, COUNT - 1)
EXAMPLES = st.lists(
    st.builds(
        Example,
        st.text(st.characters(codec="utf-8"), max_size=3),
        st.text(st.characters(codec="utf-8"), max_size=3),
        st.lists(st.text(st.characters(codec="utf-8"), max_size=3), max_size=2).map(tuple),
        st.lists(ROWS, min_size=1, max_size=2).map(tuple),
        st.lists(ROWS, max_size=2).map(tuple),
    ),
    max_size=4,
)
RECORD = {"id": "0", "question": "q", "answers": ["a"], "positives": [1], "negatives": [0]}


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Passages:
    path = tmp_path_factory.mktemp("examples") / PASSAGES
    rows = [Passage(i, f"p{i}", f"t{i}", f"text {i}", (0, 1, 2)[: 1 + i % 3]) for i in range(COUNT)]
    write_passages(path, rows)
    return Passages(path)


def by_id(example: Example, passages: Passages) -> tuple[Any, ...]:
    """An example with the ids of its passages."""
    found = ([passages[row].id for row in rows] for rows in (example.positives, example.negatives))
    return example.id, example.question, example.answers, *found


@pytest.mark.slow
@given(EXAMPLES)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, passages: Passages, examples: list[Example]
) -> None:
    path = tmp_path_factory.mktemp("a") / "train.jsonl"
    write_examples(path, iter(examples))
    assert list(read_examples(path, passages)) == examples
    assert len(path.read_bytes().splitlines()) == len(examples)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"positives": []}, "passages that are no rows of the collection; make it again with 'dvc"),
        ({"positives": [COUNT]}, "no rows"),
        ({"positives": [-1]}, "no rows"),
        ({"positives": [True]}, "expected int, got bool at positives[0]; make it again"),
        ({"positives": ["1"]}, "expected int, got str at positives[0]; make it again"),
        ({"negatives": [1.0]}, "expected int, got float at negatives[0]; make it again"),
        ({"negatives": [0, COUNT]}, "no rows"),
        ({"negatives": None}, "expected array, got null at negatives; make it again"),
        ({"answers": ["a", 1852]}, "expected str, got int at answers[1]; make it again"),
        ({"id": 0}, "expected str, got int at id; make it again"),
    ],
)
def test_examples_that_are_none_of_the_collections_are_refused(
    tmp_path: Path, passages: Passages, changed: dict[str, Any], complaint: str
) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text(json.dumps(RECORD) + "\n" + json.dumps(RECORD | changed) + "\n")
    with pytest.raises(InputError) as caught:
        list(read_examples(path, passages))
    assert str(caught.value).startswith(f"{path}:2: ")
    assert complaint in str(caught.value)


@given(EXAMPLES, EXAMPLES)
def test_compact_examples_have_the_same_passages(
    tmp_path_factory: pytest.TempPathFactory,
    passages: Passages,
    train: list[Example],
    dev: list[Example],
) -> None:
    folder = tmp_path_factory.mktemp("a")
    files = {"train": folder / "t", "dev": folder / "d"}
    write_examples(files["train"], train)
    write_examples(files["dev"], dev)
    write_compact(folder / "compact", files, passages)
    kept = Passages(folder / "compact" / PASSAGES)
    # Those that are named, each once, in the collection's order.
    named = {row for e in (*train, *dev) for row in (*e.positives, *e.negatives)}
    assert [p.id for p in kept] == [f"p{row}" for row in sorted(named)]
    assert [replace(p, row=int(p.id[1:])) for p in kept] == [passages[row] for row in sorted(named)]
    for name, examples in (("train", train), ("dev", dev)):
        found = read_examples(folder / "compact" / f"{name}.jsonl", kept)
        assert [by_id(e, kept) for e in found] == [by_id(e, passages) for e in examples]
