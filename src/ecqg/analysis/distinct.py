"""Which entities of which passages are asked about, whatever any system attends to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ecqg.attention.aggregate import normalise
from ecqg.attention.entities import Entities

Span = tuple[int, int]


class DistinctEntity(NamedTuple):
    """A distinct entity of a passage: the spans of its mentions, in the order of the text."""

    name: str  # normalised
    spans: tuple[Span, ...]


def distinct_entities(entities: Entities, row: int) -> list[DistinctEntity]:
    """The entities of a passage, those of the same normalised text being one, by first mention."""
    grouped: dict[str, list[Span]] = {}
    for mention in entities.of(row):
        grouped.setdefault(normalise(mention.text), []).append((mention.start, mention.end))
    return [DistinctEntity(name, tuple(spans)) for name, spans in grouped.items()]


def prompts(entities: Entities, rows: Sequence[int]) -> list[tuple[int, Span]]:
    """Row and first mention of each entity of the passages that have at least two."""
    found: list[tuple[int, Span]] = []
    for row in rows:
        distinct = distinct_entities(entities, row)
        if len(distinct) > 1:
            found += [(row, entity.spans[0]) for entity in distinct]
    return found
