"""Synthetic questions as training examples of a retriever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ecqg.corpus.examples import Example


def synthetic_examples(records: Iterable[dict[str, Any]]) -> Iterator[Example]:
    """The rows of `read_generated` as examples without negatives, each on its own passage."""
    for record in records:
        answers = (record["answer"],)
        yield Example(record["id"], record["question"], answers, (record["row"],))
