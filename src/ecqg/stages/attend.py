"""How much the passage encoder of a system attends to each entity (SIGIR sec. 2.1)."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.attention.aggregate import Aggregated, aggregate
from ecqg.attention.attended import write_attended
from ecqg.attention.entities import Entities
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.tokens import TokenAttention
from ecqg.corpus.passages import Passages
from ecqg.encoder.model import PASSAGE
from ecqg.items import Dual
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, system: Dual) -> None:
    """Write paths.attended(system)."""
    collection, folder = paths.collection() / "passages.arrow", paths.retriever(system) / PASSAGE
    passages, entities = Passages(collection), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(folder, *settings)
    total = sum(1 for _ in entities.passages())

    def mentions(attention: TokenAttention) -> list[list[float]]:
        """Sums and pieces of the mentions of a passage."""
        here = aggregate(attention, *entities.starts_and_ends(attention.row))
        return [here.sums.tolist(), here.pieces.tolist()]

    with resumable(f"attend-{system}", [collection, folder, paths.ENTITIES], settings) as kept:
        # A passage without any mention need not be encoded.
        mentioning = (passages[row] for row in entities.passages())
        found = encoder.measure(mentioning, total, mentions, kept, f"attend {system}")
        write_attended(paths.attended(system), (_aggregated(*columns) for columns in found))


def _aggregated(sums: list[float], pieces: list[float]) -> Aggregated:
    return Aggregated(np.array(sums, np.float32), np.array(pieces, np.int16))
