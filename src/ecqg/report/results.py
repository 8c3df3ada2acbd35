"""What a run has measured, read back from metrics/ and put in order."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.test_sets import label
from ecqg.files import read_json
from ecqg.report.published import SUBSETS

SYSTEMS = {
    "tfidf": "TF-IDF",
    "bm25": "BM25",
    "dpr": "DPR",
    "uncon": "UnCon-DPR",
    "mixed": "Mixed-DPR",
}


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements by system; a system that was not evaluated is absent."""

    test_sets: list[str]  # in the order to be shown
    accuracy: dict[str, dict[str, dict[str, float]]]  # system -> test set -> top1, ... in percent
    attention: dict[str, dict[str, float]]  # system -> measure -> value
    comparison: dict[str, dict[str, dict[str, dict[str, float]]]]  # pair -> test set -> top1, ...


def read_results(test_sets: Iterable[str], collections: Iterable[str]) -> Results:
    """Read what stands in metrics/ of the main collection and of zero-shot `collections`.

    `test_sets` gives the order in which those of the main collection are shown. Raises
    InputError where nothing was evaluated yet.
    """
    accuracy: dict[str, dict[str, dict[str, float]]] = {}
    for system in SYSTEMS:
        for collection in (paths.MAIN, *collections):
            found = _read(paths.retrieval_metrics(system, collection)).get(system, {})
            for name, values in found.items():
                accuracy.setdefault(system, {})[label(name, collection)] = values
    if not accuracy:
        raise InputError(
            "no results", file=paths.retrieval_metrics("SYSTEM").parent, remedy="run 'make repro'"
        )
    attention = {s: _read(paths.attention_metrics(s)).get(s, {}) for s in SYSTEMS}
    return Results(
        order_test_sets([name for values in accuracy.values() for name in values], list(test_sets)),
        accuracy,
        {system: values for system, values in attention.items() if values},
        _read(paths.COMPARISON),
    )


def read_intervals(collections: Iterable[str]) -> list[dict[str, str]]:
    """The rows of plots/retrieval: system, test_set, k, accuracy, low, high."""
    rows = []
    for collection in (paths.MAIN, *collections):
        for system in SYSTEMS:
            file = paths.retrieval_plot(system, collection)
            if file.is_file():
                with file.open(encoding="utf-8", newline="") as lines:
                    for row in csv.DictReader(lines):
                        row["test_set"] = label(row["test_set"], collection)
                        rows.append(row)
    return rows


def relative_change(results: Results, measure: str, system: str, base: str) -> float | None:
    """By how many percent an attention measure of `system` is above that of `base`."""
    values = [results.attention.get(s, {}).get(measure) for s in (system, base)]
    if values[0] is None or not values[1]:
        return None
    return 100 * (values[0] / values[1] - 1)


def subset_of(test_set: str) -> tuple[str, str] | None:
    """The test set that this one is a subset of, and in words which; None for a whole one."""
    for suffix, words in SUBSETS.items():
        if test_set.endswith(suffix):
            return test_set.removesuffix(suffix), words
    return None


def order_test_sets(found: list[str], wanted: list[str]) -> list[str]:
    """`wanted` first, then what else was found; each followed by its subsets."""
    names = list(dict.fromkeys(found))
    wholes = [name for name in names if subset_of(name) is None]
    wholes.sort(key=lambda n: wanted.index(n) if n in wanted else len(wanted))
    ordered = [n for w in wholes for n in names if n == w or (subset_of(n) or ("",))[0] == w]
    return ordered + [name for name in names if name not in ordered]


def _read(path: Path) -> dict[str, Any]:
    value = read_json(path) if path.is_file() else {}
    if not isinstance(value, dict):
        raise InputError("not a JSON object", file=path, remedy="remake it with 'dvc repro'")
    return value
