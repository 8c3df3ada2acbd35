"""How much the passage encoder of a system attends to each entity (SIGIR sec. 2.1)."""

from __future__ import annotations

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
from ecqg.shards import in_shards


def run(params: Params, system: str) -> None:
    """Write paths.attended(system)."""
    collection, folder = paths.collection() / "passages.arrow", paths.retriever(system) / PASSAGE
    passages, entities = Passages(collection), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(folder, *settings)
    rows = np.unique(entities.rows)  # a passage without entities need not be encoded
    blocks = [rows[i : i + BLOCK_PASSAGES].tolist() for i in range(0, len(rows), BLOCK_PASSAGES)]
    sums = np.full(len(entities), np.nan, np.float32)
    pieces = np.zeros(len(entities), np.int16)

    def attend(block: list[int]) -> list[list[float]]:
        """Sums and pieces of all mentions of the passages, in their order."""
        found = []
        for attention in encoder.attend(passages[row] for row in block):
            first, last = entities.span(attention.row)
            found.append(
                aggregate(attention, entities.starts[first:last], entities.ends[first:last])
            )
        return [
            np.concatenate([here.sums for here in found]).tolist(),
            np.concatenate([here.pieces for here in found]).tolist(),
        ]

    with resumable(f"attend-{system}", [collection, folder, paths.ENTITIES], settings) as kept:
        done = in_shards(kept, blocks, attend)
        bar = track(done, f"attend {system}", total=len(blocks), unit=f"x{BLOCK_PASSAGES}")
        for block, columns in zip(blocks, bar, strict=True):
            mentions = slice(entities.span(block[0])[0], entities.span(block[-1])[1])
            sums[mentions], pieces[mentions] = columns
        write_attended(paths.attended(system), Aggregated(sums, pieces))
