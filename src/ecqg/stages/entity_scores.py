"""What one system makes of the questions about every entity: attention, attributions, ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ecqg import paths
from ecqg.analysis.attribution import PassageAttribution
from ecqg.analysis.entity_scores import (
    QUESTIONS,
    EntityScore,
    Span,
    distinct_entities,
    score_and_rank,
    write_scores,
)
from ecqg.attention.aggregate import aggregate
from ecqg.attention.entities import Entities
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.tokens import TokenAttention
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import PASSAGE, QUESTION, score_factor
from ecqg.encoder.vector_file import read_vectors
from ecqg.files import read_jsonl
from ecqg.items import Dense
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.search.gpu import above
from ecqg.shards import map_blocks
from ecqg.training.device import pick_device


def run(params: Params, system: Dense) -> None:
    """Write paths.entity_scores(system), a row for each question of paths.ENTITY_QUESTIONS."""
    collection = paths.collection() / PASSAGES
    passages = Passages(collection)
    entities = Entities(paths.ENTITIES)
    fields = {"id": str, "row": int, "start": int, "question": str}
    records = list(read_jsonl(paths.ENTITY_QUESTIONS, fields))
    rows = sorted({record["row"] for record in records})
    distinct = {row: distinct_entities(entities, row) for row in rows}
    chosen = [passages[row] for row in rows]
    folder, stored = paths.retriever(system), paths.embeddings(system)
    questions = Encoding(folder / QUESTION, params.encoder)
    factor = score_factor(params.encoder.score_scale, questions.hidden)
    own_rows = np.array([record["row"] for record in records])
    vectors = read_vectors(stored, f"ecqg encode {system}", len(passages))
    device = pick_device()

    def score(first: int) -> list[list[float]]:
        block = slice(first, first + QUESTIONS)
        asked, own = encoded[block], own_rows[block]
        if device.type == "cpu":
            return [c.tolist() for c in score_and_rank(asked, own, vectors)]
        products, higher = above(asked, own, vectors, device)
        return [products.tolist(), (higher + 1).tolist()]

    inputs = [collection, paths.ENTITIES, paths.ENTITY_QUESTIONS, folder, stored]
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    with resumable(__name__, f"entity-scores-{system}", inputs, *settings) as resume_dir:
        encoded = questions.questions([r["question"] for r in records], resume_dir / "questions")
        begins = range(0, len(records), QUESTIONS)
        done = map_blocks(resume_dir / "ranks", begins, score)
        blocks = list(track(done, "rank", total=len(begins), unit=f"x{QUESTIONS}"))
        scores, ranks = ([value for block in blocks for value in block[i]] for i in (0, 1))
        encoder = PassageAttention(folder / PASSAGE, *settings)
        of_chosen = encoder.attend(chosen, len(chosen), resume_dir / "attention", "attend")
        attention = {
            weights.row: _attention(weights, distinct[weights.row], params.select.aggregate)
            for weights in of_chosen
        }
        attributor = PassageAttribution(folder / PASSAGE, params.encoder.max_passage_tokens)
        attributed = attributor.attribute(
            chosen, [distinct[row] for row in rows], resume_dir / "attribution"
        )
        attribution = dict(zip(rows, attributed, strict=True))

    out: list[EntityScore] = []
    for record, product, rank in zip(records, scores, ranks, strict=True):
        row = record["row"]
        first_mentions = [spans[0] for spans in distinct[row]]
        which = [start for start, _ in first_mentions].index(record["start"])
        out.append(
            EntityScore(
                id=record["id"],
                row=row,
                place=sum(first_mentions[which]) / 2 / len(passages[row].text),
                attention=attention[row][which],
                gradient=float(attribution[row].gradient[which]),
                left_out=float(attribution[row].left_out[which]),
                score=product * factor,
                rank=int(rank),
            )
        )
    write_scores(paths.entity_scores(system), out)


def _attention(weights: TokenAttention, entities: Sequence[Sequence[Span]], by: str) -> list[float]:
    """The attention of each entity: over all word pieces of its mentions; NaN if none is seen."""
    values = []
    for spans in entities:
        starts, ends = (np.array(side, np.int32) for side in zip(*spans, strict=True))
        mentions = aggregate(weights, starts, ends)
        pieces = int(mentions.pieces.sum())
        total = float(np.nansum(mentions.sums)) if pieces else float("nan")
        values.append(total if by == "sum" or not pieces else total / pieces)
    return values
