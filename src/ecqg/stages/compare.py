"""Whether systems differ, question by question and, in their attention, passage by passage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from ecqg import paths, seeds
from ecqg.attention.compare import paired_attention_tests
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare
from ecqg.evaluation.judgement import COMPARISONS, OUTCOME
from ecqg.evaluation.per_query import read_per_query
from ecqg.evaluation.test_sets import label, split
from ecqg.evaluation.topk import hits
from ecqg.params import Params
from ecqg.systems import LEXICAL
from ecqg.tables import write_table

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


def run(params: Params) -> None:
    """Write paths.COMPARISONS: for every k of `evaluation.ks`, and for attention."""
    write_table(paths.COMPARISONS, COMPARISONS, _rows(params))


def _rows(params: Params) -> Iterator[list[object]]:
    present = {*LEXICAL, *params.systems}
    pairs = [pair for pair in PAIRS if present.issuperset(pair)]
    reranked = [(paths.reranked(system), system) for system in params.rerank.first_stages]
    for a, b in (*pairs, *reranked):
        for collection in (paths.MAIN, *params.zero_shot):
            kept = paths.per_query(collection)
            yield from _tests(params, (a, kept / a), (b, kept / b), collection)
    for b in (system for system in SUPERVISED if system in params.systems):
        for test_set, settings in params.supervised.items():
            kept = paths.per_query(f"{paths.SUPERVISED}/{test_set}") / paths.SUPERVISED
            compared = paths.per_query(settings.collection) / b
            supervised = (paths.SUPERVISED, kept)
            yield from _tests(params, supervised, (b, compared), settings.collection)
    attention = paired_attention_tests(
        {system: paths.attention_per_passage(system) for system in params.systems},
        [pair for pair in pairs if not set(LEXICAL) & set(pair)],
        samples=params.evaluation.bootstrap_samples,
        confidence=params.evaluation.confidence,
        seed=params.seed,
    )
    for (a, b), measures in attention.items():
        for measure, result in measures.items():
            yield [a, b, "", "", "", measure, *_outcome(asdict(result))]


def _tests(
    params: Params, a: tuple[str, Path], b: tuple[str, Path], collection: str
) -> Iterator[list[object]]:
    """Of two systems, each with the folder of its ranks, on the first one's test sets."""
    for file in sorted(a[1].glob("*.csv")):
        of_a, of_b = read_per_query(file), read_per_query(b[1] / file.name)
        if (of_a.ids, of_a.questions) != (of_b.ids, of_b.questions):
            raise InputError(
                f"other questions than {b[0]}'s", file=file, remedy="evaluate both again"
            )
        for k in params.evaluation.ks:
            name = label(file.stem, collection)
            result = compare(
                hits(of_a.ranks, k),
                hits(of_b.ranks, k),
                params.evaluation.bootstrap_samples,
                params.evaluation.confidence,
                seeds.numpy_rng(params.seed, "compare", a[0], b[0], name, k),
            )
            where = (collection, *split(file.stem), f"top{k}")
            yield [a[0], b[0], *where, *_outcome(asdict(result))]


def _outcome(result: Mapping[str, float]) -> list[object]:
    """Cells of OUTCOME; six digits say more than a bootstrap knows."""
    cells = (result.get(name, "") for name in OUTCOME)
    return [f"{value:.6g}" if isinstance(value, float) else value for value in cells]
