"""Whether systems differ, question by question and, in their attention, passage by passage."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

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
    ("uncon", "bm25"),
    ("mixed", "bm25"),
    ("aug", "bm25"),
    ("dpr", "baseline"),
    ("uncon", "baseline"),
    ("mixed", "baseline"),
    ("aug", "baseline"),
    ("baseline", "bm25"),
]
SUPERVISED = ("dpr", "mixed", "aug")  # that a supervised reference is compared with, on its set


Tests = dict[str, dict[str, dict[str, float]]]  # of a pair: test set -> top1 -> result


def run(params: Params) -> None:
    """Write {"A_vs_B": {"TESTSET": {"top1": difference, interval, p, wins, ties, losses}}}.

    For every k of `evaluation.ks`; test sets are named by `label`. Beside them stands
    {"attention": {"entropy": likewise, ...}}.
    """
    present = {*LEXICAL, *params.systems}
    pairs = [pair for pair in PAIRS if present.issuperset(pair)]
    reranked = [(paths.reranked(system), system) for system in params.rerank.first_stages]
    report: dict[str, Tests] = {}
    for a, b in (*pairs, *reranked):
        pair = report[f"{a}_vs_{b}"] = {}
        for collection in (paths.MAIN, *params.zero_shot):
            kept = paths.per_query(collection)
            pair |= _tests(params, (a, kept / a), (b, kept / b), collection)
    for b in (system for system in SUPERVISED if system in params.systems and params.supervised):
        pair = report[f"{paths.SUPERVISED}_vs_{b}"] = {}
        for test_set, settings in params.supervised.items():
            kept = paths.per_query(f"{paths.SUPERVISED}/{test_set}") / paths.SUPERVISED
            compared = paths.per_query(settings.collection) / b
            pair |= _tests(params, (paths.SUPERVISED, kept), (b, compared), settings.collection)
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


def _tests(params: Params, a: tuple[str, Path], b: tuple[str, Path], collection: str) -> Tests:
    """Of two systems, each with the folder of its ranks, on the first one's test sets."""
    found: Tests = {}
    for file in sorted(a[1].glob("*.csv")):
        of_a, of_b = read_per_query(file), read_per_query(b[1] / file.name)
        if (of_a.ids, of_a.questions) != (of_b.ids, of_b.questions):
            raise InputError(
                f"other questions than {b[0]}'s", file=file, remedy="evaluate both again"
            )
        name = label(file.stem, collection)
        found[name] = {}
        for k in params.evaluation.ks:
            result = compare(
                hits(of_a.ranks, k),
                hits(of_b.ranks, k),
                params.evaluation.bootstrap_samples,
                params.evaluation.confidence,
                seeds.numpy_rng(params.seed, "compare", a[0], b[0], name, k),
            )
            found[name][f"top{k}"] = asdict(result)
    return found
