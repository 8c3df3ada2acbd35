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
from ecqg.shards import map_blocks


def run(params: Params, system: Dense) -> None:
    """Write paths.entity_scores(system), a row for each question of paths.ENTITY_QUESTIONS."""
    collection = paths.collection() / PASSAGES
    passages = Passages(collection)
    entities = Entities(paths.ENTITIES)
    fields = {"id": str, "row": int, "start": int, "question": str}
    records = list(read_jsonl(paths.ENTITY_QUESTIONS, fields))
    rows = sorted({record["row"] for record in records})
    found = {row: distinct_entities(entities, row) for row in rows}
    chosen = [passages[row] for row in rows]
    folder = paths.retriever(system)

    questions = Encoding(folder / QUESTION, params.encoder)
    factor = score_factor(params.encoder.score_scale, questions.hidden)
    asked_of = np.array([record["row"] for record in records])
    vectors = read_vectors(paths.embeddings(system), f"ecqg encode {system}")

    def score(first: int) -> list[list[float]]:
        block = slice(first, first + QUESTIONS)
        return [c.tolist() for c in score_and_rank(asked[block], asked_of[block], vectors)]

    length = params.encoder.max_passage_tokens
    stored = paths.embeddings(system)
    inputs = [collection, paths.ENTITIES, paths.ENTITY_QUESTIONS, folder, stored]
    with resumable(
        __name__, f"entity-scores-{system}", inputs, length, params.encoder.precision
    ) as resume_dir:
        asked = questions.questions([r["question"] for r in records], resume_dir / "questions")
        scores: list[float] = []
        ranks: list[float] = []
        begins = range(0, len(records), QUESTIONS)
        done = map_blocks(resume_dir / "ranks", begins, score)
        for block in track(done, "rank", total=len(begins), unit=f"x{QUESTIONS}"):
            scores += block[0]
            ranks += block[1]
        encoder = PassageAttention(folder / PASSAGE, length, params.encoder.precision)
        attended = encoder.measure(
            chosen, len(chosen), TokenAttention.as_json, resume_dir / "attention", "attend"
        )
        attention = {
            row: _attention(TokenAttention.from_json(fields), found[row], params.select.aggregate)
            for row, fields in zip(rows, attended, strict=True)
        }
        attributed = PassageAttribution(folder / PASSAGE, length).attribute(
            chosen, [found[row] for row in rows], resume_dir / "attribution"
        )
        attribution = dict(zip(rows, attributed, strict=True))

    out: list[EntityScore] = []
    for i, record in enumerate(records):
        row, start = record["row"], record["start"]
        which = [spans[0][0] for spans in found[row]].index(start)
        middle = sum(found[row][which][0]) / 2
        out.append(
            EntityScore(
                record["id"],
                row,
                middle / len(passages[row].text),
                attention[row][which],
                float(attribution[row].gradient[which]),
                float(attribution[row].left_out[which]),
                scores[i] * factor,
                int(ranks[i]),
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
