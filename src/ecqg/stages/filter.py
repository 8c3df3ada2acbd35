"""Keep the synthetic questions of one generator that the reader and the baseline let pass."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.files import write_json, write_jsonl, write_text
from ecqg.params import Params
from ecqg.synthesis import filter as filters
from ecqg.synthesis.join import read_aligned


def run(params: Params, item: str) -> None:
    """Write the rows of `generated` that pass, what was counted, and a plot by sentence."""
    passages = Passages(paths.collection() / "passages.arrow")
    rows = passages.rows_by_id()
    candidates = [
        filters.Candidate(
            record,
            str(read["answer"]),
            float(read["confidence"]),
            float(scored["score"]),
            passages[rows[record["passage_id"]]].sentence_at(int(read["start"])),
        )
        for record, read, scored in read_aligned(
            paths.generated(item), paths.read(item), paths.scored(item)
        )
    ]
    steps = filters.apply(candidates, item, params.filter)
    write_jsonl(paths.filtered(item), (c.record for c in steps[filters.STEPS[-1]]))
    write_json(paths.filter_metrics(item), {item: filters.metrics(steps)})
    write_text(paths.filter_plot(item), filters.sentence_csv(steps))
