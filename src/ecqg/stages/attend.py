"""How much the passage encoder of a system attends to each entity (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from ecqg import paths
from ecqg.attention.aggregate import Aggregated, aggregate
from ecqg.attention.attended import write_attended
from ecqg.attention.entities import Entities
from ecqg.attention.passage_attention import BLOCK_PASSAGES, PassageAttention
from ecqg.corpus.passages import Passages
from ecqg.encoder.model import PASSAGE
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import stream_in_shards


def run(params: Params, system: str) -> None:
    """Write paths.attended(system)."""
    collection, folder = paths.collection() / "passages.arrow", paths.retriever(system) / PASSAGE
    passages, entities = Passages(collection), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(folder, *settings)
    total = sum(1 for _ in entities.passages())

    def attended_after(done: int) -> Iterator[list[list[float]]]:
        """Sums and pieces of the mentions of each passage; one without any need not be encoded."""
        rows = islice(entities.passages(), done, None)
        for attention in encoder.attend(passages[row] for row in rows):
            here = aggregate(attention, *entities.starts_and_ends(attention.row))
            yield [here.sums.tolist(), here.pieces.tolist()]

    with resumable(f"attend-{system}", [collection, folder, paths.ENTITIES], settings) as kept:
        found = stream_in_shards(kept, total, BLOCK_PASSAGES, attended_after)
        bar = track(found, f"attend {system}", total=total, unit="passage")
        write_attended(paths.attended(system), (_aggregated(*columns) for columns in bar))


def _aggregated(sums: list[float], pieces: list[float]) -> Aggregated:
    return Aggregated(np.array(sums, np.float32), np.array(pieces, np.int16))
