"""The least-attended entities of a sample of passages (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ecqg.attention.aggregate import EntityAttention
from ecqg.corpus.passages import Passage


def selected_records(
    passage: Passage, ranked: Sequence[EntityAttention], lowest: int
) -> list[dict[str, Any]]:
    """One record for each of the `lowest` first of `ranked`, the least attended with rank 1.

    `start` and `end` are those of the entity's least attended mention. An entity that equals
    the passage's title is as good as any other.
    """
    return [
        {
            "passage_id": passage.id,
            "row": passage.row,
            "entity": entity.lowest.text,
            "start": entity.lowest.start,
            "end": entity.lowest.end,
            "label": entity.lowest.label,
            "attention": entity.attention,
            "rank": rank,
        }
        for rank, entity in enumerate(ranked[:lowest], 1)
    ]
