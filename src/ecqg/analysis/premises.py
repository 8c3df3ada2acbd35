"""What the papers' effect rests on: their figures, a run's own, and whether these are in range.

premises.yaml has the papers' figures and the ranges; here is what is computed for the table, a row
for each figure: premise, what it is about (a system, a question set, a test set; empty for the
whole study), unit, the published figure with its source, ours, the range, and whether ours is in it
(yes, no, empty where it was not measured or no range is asked for).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ecqg.checking import read_yaml
from ecqg.evaluation.bootstrap import Hits, count_outcomes

HEADER = ("premise", "about", "unit", "published", "source", "here", "low", "high", "met")
JUDGED = 1000  # questions of a set, at most, after each filter
GENERATED = "generated"  # the step before all filters (ecqg.synthesis.filter)
Shares = tuple[float | None, float | None]  # percent of valid and of right questions


class Figure(NamedTuple):
    """What a run has for a premise; None where it was not measured."""

    premise: str
    here: float | None
    about: str = ""
    low: float | None = None  # asked for, where it is more than premises.yaml asks for


@cache
def premises() -> Mapping[str, Mapping[str, Any]]:
    """premises.yaml."""
    found: dict[str, dict[str, Any]] = read_yaml(Path(__file__).with_suffix(".yaml"))
    return found


def rows(figures: Iterable[Figure]) -> Iterator[list[object]]:
    """Rows of the table, below HEADER, in the order of premises.yaml.

    Raises ValueError for a premise that it lacks.
    """
    order = list(premises())
    for figure in sorted(figures, key=lambda figure: order.index(figure.premise)):
        known, here = premises()[figure.premise], figure.here
        asked = [low for low in (known.get("low"), figure.low) if low is not None]
        low, high = max(asked, default=None), known.get("high")
        said = (known["unit"], known.get("published"), known.get("source"))
        numbers = (None if value is None else f"{value:.6g}" for value in (here, low, high))
        met = None
        if here is not None and (low, high) != (None, None):
            inside = (low is None or here >= low) and (high is None or here <= high)
            met = "yes" if inside else "no"
        yield [figure.premise, figure.about, *said, *numbers, met]


def percent(part: int, whole: int) -> float | None:
    """A share; None of nothing."""
    return 100 * part / whole if whole else None


def sampled(steps: Mapping[str, Iterable[str]], order: Iterable[str]) -> dict[str, list[str]]:
    """The first JUDGED ids of `order` that are left after each step.

    The same questions after each step, as far as they are left: fewer to judge, and a difference
    between steps is the filter's.
    """
    ids, left = [*order], {step: {*of} for step, of in steps.items()}
    return {step: list(islice((i for i in ids if i in of), JUDGED)) for step, of in left.items()}


def shares(verdicts: Iterable[tuple[bool, bool]]) -> Shares:
    """The percentage of valid questions and, among all, of those with the right answer too."""
    found = [*verdicts]
    valid, right = (sum(verdict[i] for verdict in found) for i in (0, 1))
    return percent(valid, len(found)), percent(right, len(found))


def called(name: str, step: str) -> str:
    """What is left of a question set after a step."""
    return name if step == GENERATED else f"{name} after {step}"


def of_questions(name: str, steps: Mapping[str, Shares], about_entities: bool) -> Iterator[Figure]:
    """Figures of a question set: shares of valid and right questions by step.

    Of those about entities a filter must not leave a smaller share valid than were generated so.
    """
    for step, (valid, right) in steps.items():
        about = called(name, step)
        if not about_entities:
            yield Figure("valid, others", valid, about)
        elif step == GENERATED:
            yield Figure("valid about entities", valid, about)
        else:
            yield Figure("valid after filters", valid, about, steps[GENERATED][0])
        yield Figure("right answers", right, about)


def smallest_difference(a: Hits, b: Hits, power: float = 0.8, level: float = 0.05) -> float | None:
    """The smallest difference in accuracy, in points, that a paired test finds with `power`.

    `a` and `b` are outcomes of two systems on the same n questions: of these d, as a share, are
    answered by one of the two alone, and as many are taken to be so under the difference sought.
    By the normal approximation to McNemar's test, two-sided at `level`, as Connor (1987,
    Biometrics 43:207-211) has it, solved for the difference delta:
    sqrt(n) delta = z(1 - level / 2) sqrt(d) + z(power) sqrt(d - delta^2).
    None where not even d all on one side would be found. Raises ValueError for other shapes.
    """
    wins, ties, losses = count_outcomes(a, b)
    n, d = wins + ties + losses, (wins + losses) / (wins + ties + losses)
    of_level, of_power = (NormalDist().inv_cdf(p) for p in (1 - level / 2, power))
    rest = n + of_power**2 - of_level**2
    if rest < 0 or not d:
        return None
    found = sqrt(d) * (of_level * sqrt(n) + of_power * sqrt(rest)) / (n + of_power**2)
    return 100 * found if found <= d else None


def difference(a: Hits, b: Hits) -> float:
    """Accuracy of `a` less that of `b`, in points."""
    return 100 * float(np.mean(a) - np.mean(b))
