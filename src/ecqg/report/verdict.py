"""Does a run agree with the committed seeds? Metric by metric, claim by claim, in one line.

A metric agrees within the prediction interval of one more seed. By chance some fall outside, as
many as the binomial distribution allows of independent ones. Those of one run share questions and
models and fall together, so that a run differs where more are outside and one is farther than any
of so many may be (Bonferroni). A claim that the seeds decide agrees by its sign. Where a difference
is small against its spread, another seed's may have the other sign; one that is farther off than
that is not another seed's. What filters let through is seen where they do it, as retrievers hardly
tell what they were trained on (bench/broken.py): a share of generated questions that is farther off
than any of them may be is a difference by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.seed_tests import (
    effect_ratio,
    prediction_interval,
    relative_change,
    sampling_error,
)
from ecqg.files import read_as
from ecqg.report.claims import Claim, judge, key_of
from ecqg.report.formats import Row, Table, fixed
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY, called
from ecqg.report.results import Results
from ecqg.report.seed_trees import Key
from ecqg.report.seeds import COLUMNS, other_parameters
from ecqg.tables import REMAKE, Types, flat_values, read_table, read_values

LEVEL = 0.99  # of each metric's prediction interval
CHANCE = 0.01  # that a run like the seeds is said to differ, by metrics, and by claims
ROUNDED = 0.0005  # of a value: to how much the table of the seeds rounds it
REMEDY = "remake it with 'ecqg seeds' of finished runs"
# Of each question set, in percent: the share that passes, and that on which the reader agrees with
# the generator, before the filters and after them.
FILTERED = ("kept", "same_answer/generated", "same_answer/hard")

Numbers = Mapping[Key, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run has measured that seeds of the study have, too."""

    headline: Mapping[Key, float]  # metrics of systems
    accuracy: Mapping[Key, float]  # those of subsets as well, which claims are about
    questions: Mapping[str, int]  # of each test set
    filtered: Mapping[Key, float]  # FILTERED of each question set


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run agrees with the seeds, in one line, and tables of what is compared."""

    differs: list[str]  # in "metrics", "shares" of generated questions, "claims"
    outside: int  # metrics, of their prediction intervals
    line: str
    tables: list[Table]

    @property
    def agrees(self) -> bool:
        """Whether the run differs in nothing."""
        return not self.differs


@dataclass(frozen=True, slots=True)
class _Seeds:
    """What `ecqg seeds` writes beside its table."""

    seeds: list[int]
    parameters: dict[str, Any]


def check_parameters(parameters: Mapping[str, Any], table: Path) -> list[int]:
    """The seeds of a table, if they have these contents of params.yaml, all but the seed.

    Raises InputError where they have others, or are fewer than three.
    """
    file = table.with_suffix(".json")
    if not file.is_file():
        raise InputError("parameters of the seeds are not there", file=file, remedy=REMEDY)
    found = read_as(file, _Seeds, "not what 'ecqg seeds' writes", REMEDY)
    if other := other_parameters(found.parameters, parameters):
        named = ", ".join(other[:4]) + (", ..." if len(other) > 4 else "")
        what = f"these seeds have other parameters than params.yaml ({named})"
        raise InputError(what, file=file, remedy="compare a run of those, or run seeds of yours")
    if (n := len(found.seeds)) < 3:
        raise InputError(f"spread of {n} seeds", file=file, remedy="run three or more")
    return found.seeds


def read_seeds(seeds: Sequence[int], table: Path) -> dict[Key, list[float]]:
    """The numbers of a table that all of these seeds have, in their order."""
    numbers = {key: [by[s] for s in seeds if s in by] for key, by in _by_seed(table).items()}
    return {key: values for key, values in numbers.items() if len(values) == len(seeds)}


def read_spread(table: Path) -> dict[Key, list[float]]:
    """The numbers of a table by seed, whatever the seeds' parameters; none where there is none."""
    if not table.is_file():
        return {}
    return {key: [*by.values()] for key, by in _by_seed(table).items()}


def _by_seed(table: Path) -> dict[Key, dict[int, float]]:
    found: dict[Key, dict[int, float]] = {}
    types: Types = {"k": int, "value": float, "seed": lambda cell: int(cell) if cell else None}
    for row in read_table(table, COLUMNS, types, REMEDY):
        if not row["against"] and row["seed"] is not None:
            name = called(row["test_set"], row["subset"])
            key = row["system"], name, row["metric"], row["k"]
            found.setdefault(key, {})[row["seed"]] = row["value"]
    return found


def read_run(results: Results) -> Run:
    """The run here. Raises InputError where there is none."""
    accuracy = {
        (system, name, ACCURACY, k): value
        for system, of in results.accuracy.items()
        for name, at in of.items()
        for k, value in at.items()
    }
    return Run(read_headline(), accuracy, results.questions, read_filtered())


def read_headline() -> dict[Key, float]:
    """All metrics of metrics/. Raises InputError where there is none."""
    found = {}
    for file in sorted(paths.METRICS.glob("*.json")):
        metrics = read_as(file, dict[str, float | dict[str, float]], "no metrics", REMAKE)
        for name, value in flat_values(metrics):
            test_set, _, metric = name.rpartition("/")
            found[key_of(file.stem, test_set, metric)] = value
    if not found:
        raise InputError("no finished run", file=paths.METRICS, remedy="run 'make repro'")
    return found


def read_filtered() -> dict[Key, float]:
    """FILTERED of each question set."""
    found = {}
    for file in sorted((paths.RESULTS / "filter").glob("*.csv")):
        values = dict(flat_values(read_values(file)))
        for name in FILTERED:
            metric = f"filter/{file.name} {name.replace('/', '.')}"  # as ecqg.report.seed_trees
            found["", "", metric, 0] = float(values[name])
    return found


def judge_run(run: Run, seeds: Sequence[int], numbers: Numbers, claims: Sequence[Claim]) -> Verdict:
    """Compare a run with numbers of at least three seeds of the same study.

    Raises InputError where seeds and run have no metric in common.
    """
    from scipy.stats import binom

    known = {key: value for key, value in run.headline.items() if key in numbers}
    if not known:
        raise InputError("no metric of the seeds", file=paths.METRICS, remedy="run 'make repro'")

    def outside(metrics: Mapping[Key, float], level: float) -> list[Row]:
        return [
            _metric_row(key, value, numbers[key], bounds)
            for key, value in metrics.items()
            if not _within(value, bounds := _interval(key, numbers[key], level, run.questions))
        ]

    rows, far = outside(known, LEVEL), outside(known, 1 - CHANCE / len(known))
    allowed = int(binom.ppf(1 - CHANCE, len(known), 1 - LEVEL))
    shares = {key: value for key, value in run.filtered.items() if key in numbers}
    strange = outside(shares, 1 - CHANCE / max(1, len(shares)))
    reversed_ids, decided = _claims(run, numbers, claims)
    found = {
        "metrics": far and len(rows) > allowed,
        "shares": strange,
        "claims": reversed_ids,
    }
    differs = [name for name, any_of in found.items() if any_of]
    together = "; the others are not far, and may move together" if len(rows) > allowed else ""
    passed = f"; {len(shares) - len(strange)} of {len(shares)} shares of generated questions"
    line = (
        f"This run {'differs from' if differs else 'agrees with'} the committed seeds"
        f" ({', '.join(map(str, seeds))}): {len(known) - len(rows)} of {len(known)} metrics within"
        f" their {100 * LEVEL:g} % intervals (chance leaves up to {allowed} outside"
        f"{'' if far else together}){passed if shares else ''}; claims that the seeds decide:"
        f" {len(decided)}, reversed beyond chance: {', '.join(reversed_ids) or 'none'}"
    )
    header = ["metric", "this run", "seeds", "interval"]
    metrics = Table(header, [*rows, *strange], "Outside the prediction intervals")
    header = ["claim", "seeds", "this run", "effect ratio", "ΔRI", "sign"]
    note = "Effect ratio 1 and ΔRI 0: as large as over the seeds (Breuer et al. 2020)"
    effects = Table(header, decided, "Claims that the seeds decide", [note])
    return Verdict(differs, len(rows), line, [metrics, effects])


def _interval(
    key: Key, seeds: Sequence[float], level: float, questions: Mapping[str, int]
) -> tuple[float, float]:
    """Where a metric of one more run falls; where the seeds' values are alike, its own error."""
    mean = float(np.mean(seeds))
    asked = questions.get(key[1]) if key[2] == ACCURACY else None
    least = sampling_error(mean, asked) if asked else ROUNDED * abs(mean)
    return prediction_interval(seeds, level, least)


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


def _metric_row(key: Key, value: float, seeds: Sequence[float], bounds: tuple[float, float]) -> Row:
    system, test_set, metric, k = key
    digits = 1 if metric == ACCURACY else 3
    name = f"{test_set} top-{k}" if metric == ACCURACY else metric.replace("_", " ")
    if system:
        name = f"{shown(system)}, {name}"
    mean = f"{np.mean(seeds):.{digits}f} ± {np.std(seeds, ddof=1):.{digits}f}"
    low, high = (fixed(bound, digits) for bound in bounds)
    return Row([name, fixed(value, digits), mean, f"[{low}, {high}]"])


def _claims(run: Run, numbers: Numbers, claims: Sequence[Claim]) -> tuple[list[str], list[Row]]:
    """The claims that are significant in the seeds: ids of those reversed, rows of all."""
    seen = [one for one in judge(claims, numbers) if one.significant]
    measured = {**run.accuracy, **run.headline}
    rows, flipped = [], list[str]()
    for one in seen:
        claim, mean = one.claim, one.found.mean
        a, b = (measured.get(claim.key(s), nan) for s in (claim.system, claim.baseline))
        again, sign = a - b, "as the seeds"
        if isnan(again):
            sign = "not measured"
        elif again * mean < 0:
            # One-sided, and of all claims together.
            bounds = prediction_interval(one.differences, 1 - 2 * CHANCE / len(seen))
            sign = "reversed, as by chance" if _within(again, bounds) else "reversed"
        if sign == "reversed":
            flipped.append(claim.id)
        digits = claim.digits
        base = float(np.mean(one.baseline))
        ratios = effect_ratio(mean, again), relative_change(mean, base, again, b)
        cells = [fixed(mean, digits, "+"), fixed(again, digits, "+")]
        rows.append(Row([str(claim), *cells, fixed(ratios[0], 2), fixed(ratios[1], 3, "+"), sign]))
    return flipped, rows
