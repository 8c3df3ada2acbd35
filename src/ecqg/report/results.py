"""What a run has measured, read back from its tables: what params.yaml names, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.evaluation.test_sets import split
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY, called, nested, read_numbers
from ecqg.systems import pairs, reranked
from ecqg.tables import number, read_frame, read_table

if TYPE_CHECKING:
    from pandas import DataFrame

INTERVAL = {"low": number, "high": number}


@dataclass(frozen=True)
class Study:
    """What params.yaml names."""

    lexical: Sequence[str]
    dense: Sequence[str]
    references: Sequence[str]  # dense systems with gold questions of their own
    reranked: Sequence[str]  # systems that are re-ranked
    collections: Mapping[str, Sequence[str]]  # with their test sets, the main one first
    analysed: Sequence[str] = ()  # dense systems
    asked: Sequence[str] = ()  # question sets
    about: str = ""  # the first question set about entities
    pretrained: Sequence[str] = ()  # on these
    generators: Sequence[str] = ()  # kinds of question generators
    ks: Sequence[int] = (1, 5)
    published: Mapping[str, str] = field(default_factory=dict)  # test set -> the papers' name
    embedded: bool = False  # whether the collection is the generated encyclopedia

    @property
    def systems(self) -> list[str]:
        """All systems, in the order to be shown."""
        return [*self.lexical, *self.dense, *map(reranked, self.reranked)]

    @property
    def pairs(self) -> dict[str, list[tuple[str, str]]]:
        """Which systems are compared with which."""
        return pairs(self.lexical, self.dense, self.references)

    @property
    def test_sets(self) -> list[str]:
        """Of all collections, in the order to be shown."""
        return [name for names in self.collections.values() for name in names]

    def has(self, system: str, collection: str, test_set: str) -> bool:
        """Whether rows of a system on a test set of a collection belong to the study."""
        return system in self.systems and test_set in self.collections.get(collection, ())

    def counterpart(self, test_set: str) -> str | None:
        """The papers' name of a test set or subset that is theirs, else None."""
        whole, subset = split(test_set)
        name = self.published.get(whole)
        return f"{name}, {subset.replace('_', ' ')}" if name and subset else name

    @property
    def on_published_data(self) -> bool:
        """Whether the main collection's questions are the papers': Natural Questions."""
        return "NQ" in map(self.published.get, self.collections.get(paths.MAIN, ()))


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements by system; a system that was not evaluated is absent."""

    study: Study
    test_sets: list[str]  # in the order to be shown
    numbers: DataFrame  # ecqg.report.numbers, systems in the order to be shown
    accuracy: dict[str, dict[str, dict[int, float]]]  # system -> test set -> k -> percent
    ranking: dict[str, dict[str, dict[str, float]]]  # of judged test sets, by measure
    attention: dict[str, dict[str, float]]  # system -> measure, or variants/CHOICE/MEASURE
    intervals: dict[str, dict[str, tuple[float, float]]]  # of attention
    # pair -> test set, or "attention" -> top1, ... -> difference, low, high, p
    comparison: dict[tuple[str, str], dict[str, dict[str, dict[str, float]]]]
    questions: dict[str, int]  # of each test set
    missing: list[str]  # what params.yaml names and the tables lack


def read_results(study: Study) -> Results:
    """Read the rows of `study`, wherever others are left of runs with other parameters.

    Subsets that are all of their set have no rows: the same numbers twice say nothing. Raises
    InputError where the study was not run yet.
    """
    if not paths.ACCURACY.is_file():
        raise InputError("no results", file=paths.ACCURACY, remedy="run 'make repro'")
    attention = [file for file in map(paths.attention_means, study.dense) if file.is_file()]
    numbers = read_numbers(paths.JUDGED, attention)
    where = numbers[["system", "collection", "test_set"]].itertuples(index=False)
    numbers = numbers[[not row[1] or study.has(*row) for row in where]]
    found = numbers[numbers.metric == ACCURACY].astype({"questions": int})
    sizes = nested(found, "name", "questions")
    whole = {name: split(name)[0] for name in sizes}
    sets = [n for n, of in whole.items() if n == of or sizes[n] != sizes.get(of)]
    sets.sort(key=lambda name: (study.test_sets.index(whole[name]), name))
    of_sets = numbers.name.isin(sets) & numbers.questions.notna() & numbers.k.isin([0, *study.ks])
    numbers = numbers[of_sets | (numbers.collection == "")]
    place = {system: i for i, system in enumerate(study.systems)}
    numbers = numbers.sort_values("system", key=lambda s: s.map(place), kind="stable")
    is_accuracy, is_attention = numbers.metric == ACCURACY, numbers.collection == ""
    accuracy = nested(numbers[is_accuracy], "system", "name", "k", "value")
    measured = nested(numbers[is_attention], "system", "metric", "value")
    bounds = read_frame(paths.ATTENTION, headers.ATTENTION, INTERVAL)
    bounds["interval"] = list(zip(bounds.low, bounds.high, strict=True))
    return Results(
        study,
        sets,
        numbers,
        accuracy,
        nested(numbers[~is_accuracy & ~is_attention], "system", "name", "metric", "value"),
        measured,
        nested(bounds, "system", "measure", "interval"),
        _comparison(study, sets),
        {name: sizes[name] for name in sets},
        list(_missing(study, accuracy, measured)),
    )


def _comparison(study: Study, sets: Sequence[str]) -> dict[tuple[str, str], Any]:
    outcome = {"difference": number, **INTERVAL, "p": number}
    found: dict[tuple[str, str], Any] = {}
    for row in read_table(paths.COMPARISONS, headers.COMPARISONS, outcome):
        pair, where = (row["a"], row["b"]), (row["collection"], row["test_set"])
        if where[0]:
            name = called(row["test_set"], row["subset"])
            there = name in sets and all(study.has(system, *where) for system in pair)
        else:
            name, there = "attention", {*pair} <= {*study.dense}
        if there:
            tests = found.setdefault(pair, {}).setdefault(name, {})
            tests[row["measure"]] = {key: row[key] for key in outcome}
    return found


def _missing(
    study: Study, accuracy: Mapping[str, Mapping[str, Iterable[int]]], attention: Iterable[str]
) -> Iterator[str]:
    for system in study.systems:
        if lacking := [name for name in study.test_sets if name not in accuracy.get(system, ())]:
            yield f"{shown(system)} on {', '.join(lacking)}"
    yield from (f"attention of {shown(s)}" for s in study.dense if s not in attention)
    known = {k for of in accuracy.values() for row in of.values() for k in row}
    yield from (f"top-{k}" for k in study.ks if known and k not in known)


def relative_change(results: Results, measure: str, system: str, base: str) -> float | None:
    """By how many percent an attention measure of `system` is above that of `base`."""
    ours, theirs = (results.attention.get(s, {}).get(measure) for s in (system, base))
    return None if ours is None or not theirs else 100 * (ours / theirs - 1)


def subset_of(test_set: str) -> tuple[str, str] | None:
    """The test set that this one is a subset of, and in words which; None for a whole one."""
    whole, subset = split(test_set)
    return (whole, subset.replace("_", " ")) if subset else None
