"""Draw the synthetic training sets of UnCon-DPR and Mixed-DPR, of one size."""

from __future__ import annotations

from collections import Counter

from ecqg import paths
from ecqg.corpus.examples import write_examples
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl, write_json
from ecqg.params import Params
from ecqg.synthesis.examples import synthetic_examples
from ecqg.synthesis.mix import draw


def run(params: Params) -> None:
    """Write both sets as DPR JSON without negatives, and what they are made of."""
    kinds = ("unconditioned", "conditioned")
    plain, about = ([(k, r) for r in read_jsonl(paths.filtered(k))] for k in kinds)
    uncon, mixed = draw(plain, about, params.mix, params.seed)
    passages = Passages(paths.collection() / "passages.arrow")
    metrics: dict[str, dict[str, int]] = {}
    for system, chosen in (("uncon", uncon), ("mixed", mixed)):
        records = [record for _, record in chosen]
        write_examples(paths.synthetic(system), synthetic_examples(records, passages))
        counts = Counter(kind for kind, _ in chosen)
        metrics[system] = {
            "examples": len(chosen),
            **{kind: counts[kind] for kind in kinds},
            "passages": len({record["passage_id"] for record in records}),
        }
    write_json(paths.MIX_METRICS, metrics)
