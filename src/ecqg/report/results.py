"""What a run has measured, read back from metrics/ and put in order."""

from __future__ import annotations

import csv
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.test_sets import label
from ecqg.files import read_json
from ecqg.report.names import SYSTEMS as SYSTEMS
from ecqg.report.published import COUNTERPARTS, SUBSETS
from ecqg.systems import FIRST_STAGES

RERANKED = {paths.reranked(stage): f"{SYSTEMS[stage]}, re-ranked" for stage in FIRST_STAGES}
BySystem = dict[str, dict[str, dict[str, float]]]  # system -> test set -> measure -> value


def shown(system: str) -> str:
    """A system's name for people, such as DPR, or supervised DPR (trivia_like)."""
    test_set = paths.supervised_set(system)
    if test_set is not None:
        return f"{SYSTEMS[paths.SUPERVISED]} ({test_set})"
    return SYSTEMS[system]


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements by system; a system that was not evaluated is absent."""

    test_sets: list[str]  # in the order to be shown
    accuracy: BySystem  # top1, ... in percent
    attention: dict[str, dict[str, Any]]  # system -> measure -> value, and their intervals
    comparison: dict[str, dict[str, dict[str, dict[str, float]]]]  # pair -> test set -> top1, ...
    ranking: BySystem  # of judged test sets: MRR@10, ...
    questions: dict[str, int]  # of each test set


def read_results() -> Results:
    """Read what stands in metrics/, of the test sets that the last comparison covered.

    So what was measured before a zero-shot set or a system was taken out of params.yaml is left
    aside, and so are subsets that are all of their set: a second row of the same numbers says
    nothing. Raises InputError where the study was not run yet.
    """
    if not paths.COMPARISON.is_file():
        raise InputError("no results", file=paths.COMPARISON, remedy="run 'make repro'")
    comparison = _read(paths.COMPARISON)
    sizes = {
        name: _questions(found) for pair in comparison.values() for name, found in pair.items()
    }
    compared = {name for name in sizes if not _is_whole(name, sizes)}
    accuracy = _read_accuracy(compared)
    present = {system for pair in comparison for system in pair.split("_vs_")}
    dual = [s for s in SYSTEMS if s in present]
    dual += [f"{paths.SUPERVISED}-{test_set}" for test_set in sorted(compared)]
    attention = {s: _read(paths.attention_metrics(s)).get(s, {}) for s in dual}
    return Results(
        order_test_sets(name for values in accuracy.values() for name in values),
        accuracy,
        {system: values for system, values in attention.items() if values},
        comparison,
        _read_ranking(compared),
        {name: int(sizes[name]) for name in compared},
    )


def _read_accuracy(test_sets: Container[str]) -> BySystem:
    found: BySystem = {}
    files = [(name, _read(file)) for name, file in _files(paths.retrieval_metrics())]
    for system in (*SYSTEMS, *RERANKED):
        for collection, values in files:
            _keep(found, system, collection, values.get(system, {}), test_sets)
    return found


def _read_ranking(test_sets: Container[str]) -> BySystem:
    found: BySystem = {}
    for collection, file in _files(paths.ranking_metrics()):
        for system, values in _read(file).items():
            _keep(found, system, collection, values, test_sets)
    return found


def _keep(
    found: BySystem,
    system: str,
    collection: str,
    values: dict[str, dict[str, float]],
    test_sets: Container[str],
) -> None:
    """Add a system's measures on those test sets of a collection that are in `test_sets`."""
    for name, measures in values.items():
        if label(name, collection) in test_sets:
            found.setdefault(system, {})[label(name, collection)] = measures


def read_intervals(test_sets: Container[str]) -> list[dict[str, str]]:
    """Rows of plots/retrieval on `test_sets`: system, test_set, k, accuracy, low, high."""
    rows = []
    for collection, file in _files(paths.retrieval_plot()):
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                row["test_set"] = label(row["test_set"], collection)
                if row["system"] in SYSTEMS and row["test_set"] in test_sets:
                    rows.append(row)
    return sorted(rows, key=lambda row: list(SYSTEMS).index(row["system"]))


def relative_change(results: Results, measure: str, system: str, base: str) -> float | None:
    """By how many percent an attention measure of `system` is above that of `base`."""
    values = [results.attention.get(s, {}).get(measure) for s in (system, base)]
    if values[0] is None or not values[1]:
        return None
    return float(100 * (values[0] / values[1] - 1))


def _questions(compared: dict[str, dict[str, float]]) -> float:
    """How many questions a pair of systems was compared on."""
    counts = compared.get("top1", {})
    return sum(counts.get(outcome, 0) for outcome in ("wins", "ties", "losses"))


def _is_whole(name: str, sizes: dict[str, float]) -> bool:
    subset = subset_of(name)
    return subset is not None and sizes[name] == sizes.get(subset[0])


def subset_of(test_set: str) -> tuple[str, str] | None:
    """The test set that this one is a subset of, and in words which; None for a whole one."""
    for suffix, words in SUBSETS.items():
        if test_set.endswith(suffix):
            return test_set.removesuffix(suffix), words
    return None


def order_test_sets(found: Iterable[str]) -> list[str]:
    """Those with a published counterpart first, in its order, then by name; subsets follow."""
    published = list(COUNTERPARTS)

    def place(name: str) -> tuple[int, str]:
        whole = (subset_of(name) or (name, ""))[0]
        return (published.index(whole) if whole in published else len(published), name)

    return sorted(set(found), key=place)


def _files(of_main: Path) -> list[tuple[str, Path]]:
    """The file of the main collection, those of zero-shot collections, those of supervised systems.

    With each the collection's name, or SUPERVISED.
    """
    folder, every = of_main.parent, f"*{of_main.suffix}"
    files = sorted(folder.glob(every), key=lambda file: (file != of_main, file.name))
    supervised = sorted((folder / paths.SUPERVISED).glob(every))
    pairs = [(file.stem, file) for file in files]
    return pairs + [(paths.SUPERVISED, file) for file in supervised]


def _read(path: Path) -> dict[str, Any]:
    value = read_json(path) if path.is_file() else {}
    if not isinstance(value, dict):
        raise InputError("not a JSON object", file=path, remedy="remake it with 'dvc repro'")
    return value
