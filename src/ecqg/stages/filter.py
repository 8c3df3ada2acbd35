"""Keep the synthetic questions of a question set that are answerable and hard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import read_jsonl, write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.reading.squad_score import same_answer
from ecqg.synthesis import filter as filters
from ecqg.synthesis.records import GENERATED, READ, SCORED, read_aligned, read_generated
from ecqg.tables import write_values


def run(params: Params, name: Questions) -> None:
    """Write the rows of `generated` that pass, what was counted, and where answers stand."""
    settings = params.question_sets[name]
    passages = Passages(paths.collection() / PASSAGES)
    rows = passages.rows_by_id()
    generated = paths.generated(name)
    fields: dict[Path, Mapping[str, Any]] = {generated: GENERATED}
    fields |= {paths.read(name): READ, paths.scored(name): SCORED}
    for _ in read_generated(generated, rows):
        pass  # each is of a passage that is there
    candidates = [
        filters.Candidate(
            record["id"],
            same_answer(record["answer"], read["answer"]),
            float(read["confidence"]),
            float(scored["score"]),
            passages[record["row"]].sentence_at(read["start"]),
        )
        for record, read, scored in read_aligned(fields)
    ]
    steps = filters.apply(candidates, settings.filters, params.filter)
    kept = {candidate.id for candidate in steps[filters.STEPS[-1]]}
    records = read_jsonl(generated, GENERATED)
    write_jsonl(paths.filtered(name), (record for record in records if record["id"] in kept))
    write_values(paths.filter_metrics(name), filters.metrics(steps))
    filters.write_sentences(paths.answer_positions(name), steps)
