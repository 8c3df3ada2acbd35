"""What a run has measured, read back from its tables: what params.yaml names, and nothing else."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import judgement
from ecqg.evaluation.test_sets import label, split
from ecqg.report.names import SYSTEMS as SYSTEMS
from ecqg.systems import FIRST_STAGES, evaluated
from ecqg.tables import read_table, read_values

RERANKED = {paths.reranked(stage): f"{SYSTEMS[stage]}, re-ranked" for stage in FIRST_STAGES}
BySystem = dict[str, dict[str, dict[str, float]]]  # system -> test set -> measure -> value


def shown(system: str) -> str:
    """A system's name for people, such as DPR, or supervised DPR (trivia_like)."""
    test_set = paths.supervised_set(system)
    if test_set is not None:
        return f"{SYSTEMS[paths.SUPERVISED]} ({test_set})"
    return SYSTEMS[system]


@dataclass(frozen=True)
class Study:
    """What params.yaml names."""

    systems: Sequence[str]  # dual encoders
    reranked: Sequence[str]  # first stages that are re-ranked
    test_sets: Sequence[str]  # of the main collection
    zero_shot: Sequence[str]  # further collections
    supervised: Mapping[str, str] = field(default_factory=dict)  # test set -> its collection
    analysed: Sequence[str] = ()  # dual encoders
    ks: Sequence[int] = (1, 5)
    published: Mapping[str, str] = field(default_factory=dict)  # test set -> the papers' name
    embedded: bool = False  # whether the collection is the generated encyclopedia

    def has(self, system: str, collection: str, test_set: str) -> bool:
        """Whether rows of a system on a test set of a collection belong to the study."""
        if system == paths.SUPERVISED:
            return self.supervised.get(test_set) == collection
        if system not in evaluated(self.systems, self.reranked):
            return False
        if collection == paths.MAIN:
            return test_set in self.test_sets
        return collection in self.zero_shot

    def counterpart(self, test_set: str) -> str | None:
        """The papers' name of a test set or subset that is theirs, else None."""
        whole, subset = split(test_set)
        name = self.published.get(whole)
        return f"{name}, {subset.replace('_', ' ')}" if name and subset else name

    @property
    def on_published_data(self) -> bool:
        """Whether the main collection's questions are the papers': Natural Questions."""
        return "NQ" in (self.published.get(name) for name in self.test_sets)


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements by system; a system that was not evaluated is absent."""

    study: Study
    test_sets: list[str]  # in the order to be shown
    accuracy: BySystem  # top1, ... in percent
    attention: dict[str, dict[str, Any]]  # system -> measure -> value, and their intervals
    comparison: dict[str, dict[str, dict[str, dict[str, float]]]]  # pair -> test set -> top1, ...
    ranking: BySystem  # of judged test sets: MRR@10, ...
    questions: dict[str, int]  # of each test set
    intervals: list[dict[str, str]]  # rows of system, test_set, k, accuracy, low, high
    missing: list[str]  # what params.yaml names and the tables lack


def read_results(study: Study) -> Results:
    """Read the rows of `study`, wherever others are left of runs with other parameters.

    Subsets that are all of their set have no rows: the same numbers twice say nothing. Raises
    InputError where the study was not run yet.
    """
    if not paths.ACCURACY.is_file():
        raise InputError("no results", file=paths.ACCURACY, remedy="run 'make repro'")
    rows = [r for r in read_table(paths.ACCURACY, judgement.ACCURACY) if _belongs(r, study)]
    sizes = {_label(row): int(row["questions"]) for row in rows}
    sets = [name for name in _in_order(sizes, study) if not _is_whole(name, sizes)]
    accuracy: BySystem = {}
    for row in rows:
        if _label(row) in sets and int(row["k"]) in study.ks:
            of_set = accuracy.setdefault(row["system"], {}).setdefault(_label(row), {})
            of_set[f"top{row['k']}"] = float(row["accuracy"])
    accuracy = {s: accuracy[s] for s in (*SYSTEMS, *RERANKED) if s in accuracy}
    attention = _read_attention(study)
    return Results(
        study,
        sets,
        accuracy,
        attention,
        _read_comparison(study, sets),
        _read_ranking(study, sets),
        {name: sizes[name] for name in sets},
        sorted(_intervals(rows, sets, study), key=lambda row: list(SYSTEMS).index(row["system"])),
        list(_missing(study, accuracy, attention)),
    )


def _belongs(row: Mapping[str, str], study: Study) -> bool:
    return study.has(row["system"], row["collection"], row["test_set"])


def _label(row: Mapping[str, str]) -> str:
    name = f"{row['test_set']}_{row['subset']}" if row["subset"] else row["test_set"]
    return label(name, row["collection"])


def _intervals(
    rows: Iterable[dict[str, str]], sets: Container[str], study: Study
) -> Iterator[dict[str, str]]:
    for row in rows:
        if row["system"] in SYSTEMS and _label(row) in sets and int(row["k"]) in study.ks:
            yield row | {"test_set": _label(row)}


def _read_attention(study: Study) -> dict[str, dict[str, Any]]:
    """By system in the order of SYSTEMS; the supervised ones last."""
    bounds: dict[str, dict[str, dict[str, float]]] = {}
    for row in read_table(paths.ATTENTION, judgement.ATTENTION):
        interval = {"low": float(row["low"]), "high": float(row["high"])}
        bounds.setdefault(row["system"], {})[row["measure"]] = interval
    dual = [s for s in SYSTEMS if s in study.systems]
    dual += [f"{paths.SUPERVISED}-{test_set}" for test_set in sorted(study.supervised)]
    files = {system: paths.attention_means(system) for system in dual}
    return {
        system: read_values(file) | {"interval": bounds.get(system, {})}
        for system, file in files.items()
        if file.is_file()
    }


def _read_comparison(
    study: Study, sets: Container[str]
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    found: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for row in read_table(paths.COMPARISONS, judgement.COMPARISONS):
        if row["collection"]:
            where = row["collection"], row["test_set"]
            if not (study.has(row["a"], *where) and study.has(row["b"], *where)):
                continue
            name = _label(row)
            if name not in sets:
                continue
        elif not {row["a"], row["b"]} <= {*study.systems}:
            continue
        else:
            name = "attention"
        outcome = {key: float(row[key]) for key in judgement.OUTCOME if row[key]}
        pair = found.setdefault(f"{row['a']}_vs_{row['b']}", {})
        pair.setdefault(name, {})[row["measure"]] = outcome
    return found


def _read_ranking(study: Study, sets: Container[str]) -> BySystem:
    found: BySystem = {}
    for row in read_table(paths.RANKING, judgement.RANKING):
        if _belongs(row, study) and _label(row) in sets and row["questions"]:
            of_set = found.setdefault(row["system"], {}).setdefault(_label(row), {})
            of_set[row["measure"]] = float(row["value"])
    return found


def _missing(study: Study, accuracy: BySystem, attention: Container[str]) -> Iterator[str]:
    for system in evaluated(study.systems, study.reranked):
        found = accuracy.get(system, {})
        lacking = [name for name in study.test_sets if name not in found]
        lacking += [
            collection
            for collection in study.zero_shot
            if not any(name.split("/")[0] == collection for name in found)
        ]
        if lacking:
            yield f"{(SYSTEMS | RERANKED)[system]} on {', '.join(lacking)}"
    for test_set in study.supervised:
        found = accuracy.get(paths.SUPERVISED, {})
        if not any(name.split("/")[-1] == test_set for name in found):
            yield f"{SYSTEMS[paths.SUPERVISED]} on {test_set}"
    for system in study.systems:
        if system not in attention:
            yield f"attention of {SYSTEMS[system]}"
    known = {measure for of in accuracy.values() for row in of.values() for measure in row}
    for k in study.ks:
        if known and f"top{k}" not in known:
            yield f"top-{k}"


def relative_change(results: Results, measure: str, system: str, base: str) -> float | None:
    """By how many percent an attention measure of `system` is above that of `base`."""
    values = [results.attention.get(s, {}).get(measure) for s in (system, base)]
    if values[0] is None or not values[1]:
        return None
    return float(100 * (values[0] / values[1] - 1))


def _is_whole(name: str, sizes: Mapping[str, int]) -> bool:
    whole, subset = split(name)
    return bool(subset) and sizes[name] == sizes.get(whole)


def subset_of(test_set: str) -> tuple[str, str] | None:
    """The test set that this one is a subset of, and in words which; None for a whole one."""
    whole, subset = split(test_set)
    return (whole, subset.replace("_", " ")) if subset else None


def _in_order(found: Iterable[str], study: Study) -> list[str]:
    """Test sets as params.yaml has them, each followed by its subsets."""
    order = [*study.test_sets, *study.zero_shot]

    def place(name: str) -> tuple[int, str]:
        whole = split(name)[0]
        return order.index(whole if whole in study.test_sets else whole.split("/")[0]), name

    return sorted(set(found), key=place)
