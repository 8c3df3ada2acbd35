"""Whether systems differ, question by question and, in their attention, passage by passage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecqg import paths, seeds
from ecqg.attention.per_passage import paired_attention_tests
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import Comparison, compare
from ecqg.evaluation.headers import COMPARISONS, OUTCOME
from ecqg.evaluation.test_sets import split
from ecqg.evaluation.topk import hits, read_per_query
from ecqg.params import Params
from ecqg.systems import pairs, references, reranked
from ecqg.tables import write_table

Ranked: TypeAlias = tuple[int, NDArray[np.int64]]  # a hash of the questions, and their ranks


def run(params: Params) -> None:
    """Write paths.COMPARISONS: for every k of `evaluation.ks`, and for attention."""
    write_table(paths.COMPARISONS, COMPARISONS, _rows(params))


def _rows(params: Params) -> Iterator[list[object]]:
    systems = params.systems
    ranks = lru_cache(maxsize=None)(_ranks)  # each system is one of many pairs
    groups = pairs(systems.lexical, tuple(systems.dense), references(systems))
    of_stages = [(reranked(system), system) for system in systems.reranked]
    for a, b in (*chain.from_iterable(groups.values()), *of_stages):
        for collection in params.collections:
            yield from _tests(params, a, b, collection, ranks)
    attention = paired_attention_tests(
        {system: paths.attention_per_passage(system) for system in systems.dense},
        groups["trained"] + groups["references"],
        samples=params.evaluation.bootstrap_samples,
        confidence=params.evaluation.confidence,
        seed=params.seed,
    )
    for (a, b, measure), result in attention.items():
        yield [a, b, "", "", "", measure, *_outcome(result)]


def _ranks(file: Path) -> Ranked:
    """A file's. Ids and texts of its questions, of which the hash is, take far more memory."""
    read = read_per_query(file)
    return hash((read.ids, read.questions)), read.ranks


def _tests(
    params: Params, a: str, b: str, collection: str, ranks: Callable[[Path], Ranked]
) -> Iterator[list[object]]:
    """Of two systems on a collection's test sets and their subsets."""
    other = paths.per_query(b, collection)
    for file in sorted(paths.per_query(a, collection).glob("*.csv")):
        (asked_a, of_a), (asked_b, of_b) = ranks(file), ranks(other / file.name)
        if asked_a != asked_b:
            remedy = "evaluate both again"
            raise InputError(f"other questions than {b}'s", file=file, remedy=remedy)
        for k in params.evaluation.ks:
            result = compare(
                hits(of_a, k),
                hits(of_b, k),
                params.evaluation.bootstrap_samples,
                params.evaluation.confidence,
                seeds.numpy_rng(params.seed, "compare", a, b, file.stem, k),
            )
            yield [a, b, collection, *split(file.stem), f"top{k}", *_outcome(result)]


def _outcome(result: Comparison) -> list[object]:
    """Cells of OUTCOME; six digits say more than a bootstrap knows."""
    cells = (getattr(result, name, "") for name in OUTCOME)
    return [f"{value:.6g}" if isinstance(value, float) else value for value in cells]
