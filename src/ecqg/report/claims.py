"""claims.yaml: which system should be above which, on what; and what seeds say of it.

A claim is reproduced, or reversed, where the paired t-test over seeds says so, corrected over all
claims (Holm), and the bootstrap over seeds and questions does not deny it. Else it is not
reproduced: the systems are equivalent, or these seeds cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Literal

import numpy as np

from ecqg.checking import build, read_yaml
from ecqg.corpus.questions import SUBSETS
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import SeedComparison, compare_seeds
from ecqg.evaluation.seed_tests import equivalence, holm, resolvable
from ecqg.report.formats import Row, Table, fixed, probability, spread
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY, called
from ecqg.report.results import Study
from ecqg.report.seed_trees import Key

CLAIMS = Path("claims.yaml")
ALPHA = 0.05
MARGIN = 1.0  # points of accuracy, or percent of the baseline's attention: what is called equal
Interval = Callable[["Claim"], tuple[float, float] | None]


@dataclass(frozen=True)
class Claim:
    """That a system is above, or below, another one by a metric of metrics/SYSTEM.json."""

    id: str
    text: str  # what is claimed, in words
    system: str
    baseline: str
    metric: Literal["top1", "top5", "entropy", "first_sentence", "later_sentences"]
    direction: Literal["greater", "less"]
    source: str  # paper and section; "ours" where none says so
    test_set: str = ""  # or TESTSET_SUBSET; none with a measure of attention

    def key(self, system: str) -> Key:
        """The key of the metric of a system, as seeds have it."""
        return key_of(system, self.test_set, self.metric)

    @property
    def digits(self) -> int:
        """Decimals of differences."""
        return 1 if self.metric.startswith("top") else 3

    def __str__(self) -> str:
        """Such as 'Mixed-DPR > DPR, nq_like top-1'."""
        sign = ">" if self.direction == "greater" else "<"
        where = f"{self.test_set} {self.metric.replace('_', ' ').replace('top', 'top-')}".strip()
        return f"{shown(self.system)} {sign} {shown(self.baseline)}, {where}"


def key_of(system: str, test_set: str, metric: str) -> Key:
    """A metric of metrics/SYSTEM.json as numbers of seeds call it."""
    k = re.fullmatch("(?:top)?([0-9]{1,9})", metric)
    return (system, test_set, ACCURACY, int(k[1])) if k else (system, "", metric, 0)


def read_claims(studies: Sequence[Study], file: Path = CLAIMS) -> tuple[Claim, ...]:
    """The claims of a file, each about systems and test sets of at least one of the studies.

    Raises InputError for a key, name or metric that is unknown, an id that stands twice, a measure
    of attention on a test set, or an accuracy on none.
    """
    claims: tuple[Claim, ...] = build(tuple[Claim, ...], read_yaml(file), "claims", file)
    systems = dict.fromkeys(name for study in studies for name in study.systems)
    wholes = dict.fromkeys(name for study in studies for name in study.test_sets)
    sets = [called(name, subset) for name in wholes for subset in ("", *SUBSETS)]
    ids = set[str]()
    for claim in claims:
        if claim.id in ids:
            raise InputError(f"two claims {claim.id}", file=file, remedy="rename one")
        ids.add(claim.id)
        known = {
            "system": [*systems],
            "baseline": [name for name in systems if name != claim.system],
            "test_set": sets if claim.metric.startswith("top") else [""],
        }
        for key, names in known.items():
            if (value := getattr(claim, key)) not in names:
                what = f"claim {claim.id} has the {key} {value or 'none'}"
                named = ", ".join(names) or f"none, as {claim.metric} is measured on none"
                raise InputError(what, file=file, remedy=f"known: {named}")
    return claims


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim, and what seeds say of it."""

    claim: Claim
    system: Sequence[float]  # by seed
    baseline: Sequence[float]
    found: SeedComparison  # system less baseline
    p: float  # Holm-corrected, of the paired t-test; NaN for a single seed
    interval: tuple[float, float] | None  # by bootstrap over seeds and questions, of accuracies
    resolves: float  # the difference that would be found in 80 of 100 studies; NaN for one seed

    @property
    def differences(self) -> list[float]:
        """System less baseline, by seed."""
        return [a - b for a, b in zip(self.system, self.baseline, strict=True)]

    @property
    def significant(self) -> bool:
        """Whether the systems differ, after correction."""
        low, high = self.interval or (np.inf, np.inf)
        return self.p < ALPHA and not low <= 0 <= high

    @property
    def verdict(self) -> str:
        """In words; empty for a single seed."""
        if isnan(self.p):
            return ""
        if self.significant:
            higher = self.found.mean > 0
            return "reproduced" if higher == (self.claim.direction == "greater") else "reversed"
        if self.p < ALPHA:
            return "not reproduced: undecided, with other questions it may be otherwise"
        points = self.claim.metric.startswith("top")
        margin = MARGIN if points else MARGIN * abs(float(np.mean(self.baseline))) / 100
        if equivalence(self.differences, margin) < ALPHA:
            return f"not reproduced: equivalent within {MARGIN:g} {'point' if points else '%'}"
        largest = 100.0 if points else abs(float(np.mean(self.baseline)))
        if self.resolves > largest:  # no difference between two systems is as large as that
            return f"not reproduced: undecided, {len(self.system)} seeds are too few"
        resolved = fixed(self.resolves, self.claim.digits) + " points" * points
        return f"not reproduced: undecided, resolves {resolved}"


def judge(
    claims: Iterable[Claim],
    numbers: Mapping[Key, Sequence[float]],
    bootstrap: Interval = lambda claim: None,
) -> list[Judged]:
    """Judge those claims that `numbers`, by seed, has figures of; `bootstrap` has intervals."""
    found = [
        (claim, numbers[a], numbers[b])
        for claim in claims
        if (a := claim.key(claim.system)) in numbers and (b := claim.key(claim.baseline)) in numbers
    ]
    tests = [compare_seeds(a, b) for _, a, b in found]
    strictest = ALPHA / max(1, len(found))
    return [
        Judged(
            *(claim, a, b, test, float(p), bootstrap(claim)),
            resolvable(test.deviation, len(a), strictest) if len(a) > 1 else float("nan"),
        )
        for (claim, a, b), test, p in zip(found, tests, holm([t.t_p for t in tests]), strict=True)
    ]


def claims_table(judged: Iterable[Judged]) -> Table:
    """A row a claim: difference over seeds, interval, p before and after correction, verdict."""
    rows = []
    for one in judged:
        digits = one.claim.digits
        gap = spread(one.found.mean, one.found.deviation, digits, "+")
        bounds = "[{:+.{d}f}, {:+.{d}f}]".format(*one.interval, d=digits) if one.interval else ""
        p = map(probability, (one.found.t_p, one.p))
        said = f"{one.claim.text} ({one.claim.source})"
        rows.append(Row([str(one.claim), said, gap, bounds, *p, one.verdict]))
    header = ["claim", "said", "difference", "95 % interval", "p (t)", "p (Holm)", "verdict"]
    return Table(header, rows, "Claims")
