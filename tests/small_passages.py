"""Passages of one sentence, and gold examples about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ecqg import paths
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, write_passages


def make_passages(*titled: tuple[str, str]) -> list[Passage]:
    """A passage of each title and text."""
    return [Passage(i, f"p{i}", title, text, (0,)) for i, (title, text) in enumerate(titled)]


def write_gold(
    store: Iterable[Passage], examples: Sequence[Example], name: str = paths.MAIN
) -> None:
    """A gold set with negatives, the same questions to train on and to watch."""
    write_passages(paths.gold_negatives("train", name).with_name(PASSAGES), store)
    for split in ("train", "dev"):
        write_examples(paths.gold_negatives(split, name), examples)
