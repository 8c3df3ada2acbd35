"""Synthetic questions as training examples of a retriever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ecqg.corpus.examples import Context, Example
from ecqg.corpus.passages import Passages


def synthetic_examples(records: Iterable[dict[str, Any]], passages: Passages) -> Iterator[Example]:
    """The rows of `read_generated` as DPR examples without negatives, each on its own passage."""
    for record in records:
        passage = passages[record["row"]]
        context = Context(passage.id, passage.title, passage.text)
        yield Example(record["question"], (record["answer"],), (context,))
