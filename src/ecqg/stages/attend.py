"""How much the passage encoder of a system attends to each entity (SIGIR sec. 2.1)."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.attention.aggregate import Aggregated, aggregate
from ecqg.attention.attended import write_attended
from ecqg.attention.entities import Entities
from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.passages import Passages
from ecqg.encoder.model import PASSAGE
from ecqg.params import Params
from ecqg.progress import track


def run(params: Params, system: str) -> None:
    """Write paths.attended(system)."""
    passages = Passages(paths.collection() / "passages.arrow")
    entities = Entities(paths.ENTITIES)
    encoder = PassageAttention(
        paths.retriever(system) / PASSAGE,
        params.encoder.max_passage_tokens,
        params.encoder.precision,
    )
    rows = np.unique(entities.rows).tolist()  # a passage without entities need not be encoded
    sums = np.full(len(entities), np.nan, np.float32)
    pieces = np.zeros(len(entities), np.int16)
    attended = encoder.attend(passages[row] for row in rows)
    for attention in track(attended, f"attend {system}", total=len(rows), unit="passage"):
        first, last = entities.span(attention.row)
        here = aggregate(attention, entities.starts[first:last], entities.ends[first:last])
        sums[first:last], pieces[first:last] = here.sums, here.pieces
    write_attended(paths.attended(system), Aggregated(sums, pieces))
