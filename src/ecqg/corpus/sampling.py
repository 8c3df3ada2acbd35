"""Random samples of a study's data, each of a stream of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ecqg.seeds import python_rng

T = TypeVar("T")


def sample(items: Sequence[T], most: int | None, seed: int, name: str) -> list[T]:
    """At most `most` items, drawn at random, in their old order."""
    if most is None or most >= len(items):
        return list(items)
    rows = python_rng(seed, "corpus", name).sample(range(len(items)), most)
    return [items[row] for row in sorted(rows)]


def sample_passages(collection: int, size: int, seed: int) -> list[int]:
    """Rows of a random sample of a collection of that many passages, all if fewer, sorted."""
    size = min(size, collection)
    return sorted(python_rng(seed, "passages").sample(range(collection), size))
