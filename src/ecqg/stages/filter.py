"""Keep the synthetic questions of a question set that are answerable and hard."""

from __future__ import annotations

from collections import deque

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.synthesis import filter as filters
from ecqg.synthesis.records import GENERATED, READ, read_aligned, read_generated
from ecqg.tables import write_values


def run(params: Params, name: Questions) -> None:
    """Write the questions that pass (FILTERED), what was counted, and where answers stand."""
    settings = params.question_sets[name]
    passages = Passages(paths.collection() / PASSAGES)
    rows = passages.rows_by_id()
    generated = paths.generated(name)
    deque(read_generated(generated, rows), maxlen=0)  # each is of a passage that is there
    candidates = list(filters.read_candidates(name, passages))
    steps = filters.apply(candidates, settings.filters, params.filter)
    passed = {candidate.id for candidate in steps[filters.STEPS[-1]]}
    again = read_aligned({generated: GENERATED, paths.read(name): READ})
    kept = ({**r, "reader_answer": read["answer"]} for r, read in again if r["id"] in passed)
    write_jsonl(paths.filtered(name), kept)
    write_values(paths.filter_metrics(name), filters.metrics(steps))
    filters.write_sentences(paths.answer_positions(name), steps)
