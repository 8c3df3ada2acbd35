"""Keep the synthetic questions of one generator that the reader and the baseline let pass."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl, write_json, write_jsonl, write_text
from ecqg.params import Params
from ecqg.reading.squad_score import same_answer
from ecqg.synthesis import filter as filters
from ecqg.synthesis.join import read_aligned


def run(params: Params, item: str) -> None:
    """Write the rows of `generated` that pass, what was counted, and a plot by sentence."""
    passages = Passages(paths.collection() / "passages.arrow")
    rows = passages.rows_by_id()
    candidates = [
        filters.Candidate(
            record["id"],
            same_answer(str(record["answer"]), str(read["answer"])),
            float(read["confidence"]),
            float(scored["score"]),
            passages[rows[record["passage_id"]]].sentence_at(int(read["start"])),
        )
        for record, read, scored in read_aligned(
            paths.generated(item), paths.read(item), paths.scored(item)
        )
    ]
    steps = filters.apply(candidates, item, params.filter)
    kept = {candidate.id for candidate in steps[filters.STEPS[-1]]}
    generated = read_jsonl(paths.generated(item))
    write_jsonl(paths.filtered(item), (record for record in generated if record["id"] in kept))
    write_json(paths.filter_metrics(item), {item: filters.metrics(steps)})
    write_text(paths.filter_plot(item), filters.sentence_csv(steps))
