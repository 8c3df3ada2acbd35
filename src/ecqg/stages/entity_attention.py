"""Measure how much the selecting system attends to each entity (SIGIR sec. 2.1)."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.attention.aggregate import Aggregated
from ecqg.attention.entities import Entities, write_entity_attention
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.tokens import TokenAttention
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.model import PASSAGE
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params) -> None:
    """Write paths.ENTITY_ATTENTION."""
    collection = paths.collection() / PASSAGES
    folder = paths.retriever(params.select.system) / PASSAGE
    passages, entities = Passages(collection), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(folder, *settings)
    total = sum(1 for _ in entities.passages())

    def of_mentions(attention: TokenAttention) -> list[list[float]]:
        here = entities.aggregate(attention)
        return [here.sums.tolist(), here.pieces.tolist()]

    inputs = [collection, folder, paths.ENTITIES]
    with resumable(__name__, "entity-attention", inputs, settings) as resume_dir:
        # A passage without any mention need not be encoded.
        mentioning = (passages[row] for row in entities.passages())
        columns = encoder.measure(mentioning, total, of_mentions, resume_dir, "entity attention")
        of_passages = (
            Aggregated(np.array(sums, np.float32), np.array(pieces, np.int16))
            for sums, pieces in columns
        )
        write_entity_attention(paths.ENTITY_ATTENTION, of_passages)
