"""Draw the synthetic training sets of UnCon-DPR and Mixed-DPR, of one size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ecqg import paths
from ecqg.corpus.examples import Context, Example, write_examples
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl, write_json
from ecqg.params import Params
from ecqg.synthesis.mix import draw


def run(params: Params) -> None:
    """Write both sets as DPR JSON without negatives, and what they are made of."""
    kinds = ("unconditioned", "conditioned")
    plain, about = ([(k, r) for r in read_jsonl(paths.filtered(k))] for k in kinds)
    uncon, mixed = draw(plain, about, params.mix, params.seed)
    passages = Passages(paths.collection() / "passages.arrow")
    rows = passages.rows_by_id()
    metrics: dict[str, dict[str, int]] = {}
    for system, chosen in (("uncon", uncon), ("mixed", mixed)):
        records = [record for _, record in chosen]
        write_examples(paths.synthetic(system), _examples(records, passages, rows))
        counts = Counter(kind for kind, _ in chosen)
        metrics[system] = {
            "examples": len(chosen),
            **{kind: counts[kind] for kind in kinds},
            "passages": len({record["passage_id"] for record in records}),
        }
    write_json(paths.MIX_METRICS, metrics)


def _examples(
    records: list[dict[str, Any]], passages: Passages, rows: dict[str, int]
) -> Iterator[Example]:
    for record in records:
        passage = passages[rows[record["passage_id"]]]
        context = Context(passage.id, passage.title, passage.text)
        yield Example(record["question"], (record["answer"],), (context,))
