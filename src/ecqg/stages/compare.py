"""Whether systems differ, question by question and, in their attention, passage by passage."""

from __future__ import annotations

from dataclasses import asdict

from ecqg import paths, seeds
from ecqg.attention.compare import paired_attention_tests
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare
from ecqg.evaluation.per_query import read_per_query
from ecqg.evaluation.test_sets import label
from ecqg.evaluation.topk import hits
from ecqg.files import write_json
from ecqg.params import Params
from ecqg.systems import LEXICAL

PAIRS = [
    ("uncon", "dpr"),
    ("mixed", "dpr"),
    ("mixed", "uncon"),
    ("aug", "dpr"),
    ("aug", "uncon"),
    ("aug", "mixed"),
    ("dpr", "bm25"),
    ("mixed", "bm25"),
    ("dpr", "baseline"),
    ("mixed", "baseline"),
    ("baseline", "bm25"),
]
KS = (1, 5)  # as SIGIR tab. 3


def run(params: Params) -> None:
    """Write {"A_vs_B": {"TESTSET": {"top1": difference, interval, p, wins, ties, losses}}}.

    Test sets are named by `label`. Beside them stands {"attention": {"entropy": likewise, ...}}.
    """
    report: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    reranked = [(paths.reranked(system), system) for system in params.rerank.first_stages]
    present = {*LEXICAL, *params.systems}
    pairs = [pair for pair in PAIRS if present.issuperset(pair)]
    for a, b in (*pairs, *reranked):
        pair = report[f"{a}_vs_{b}"] = {}
        for collection in (paths.MAIN, *params.zero_shot):
            kept = paths.per_query(collection)
            for file in sorted((kept / a).glob("*.csv")):
                of_a = read_per_query(file)
                of_b = read_per_query(kept / b / file.name)
                if (of_a.ids, of_a.questions) != (of_b.ids, of_b.questions):
                    raise InputError(
                        f"other questions than {b}'s", file=file, remedy="evaluate both again"
                    )
                name = label(file.stem, collection)
                pair[name] = {}
                for k in KS:
                    result = compare(
                        hits(of_a.ranks, k),
                        hits(of_b.ranks, k),
                        params.evaluation.bootstrap_samples,
                        params.evaluation.confidence,
                        seeds.numpy_rng(params.seed, "compare", a, b, name, k),
                    )
                    pair[name][f"top{k}"] = asdict(result)
    attention = paired_attention_tests(
        {system: paths.attention_per_passage(system) for system in params.systems},
        [pair for pair in pairs if not set(LEXICAL) & set(pair)],
        samples=params.evaluation.bootstrap_samples,
        confidence=params.evaluation.confidence,
        seed=params.seed,
    )
    for name, measures in attention.items():
        report[name]["attention"] = measures
    write_json(paths.COMPARISON, report)
