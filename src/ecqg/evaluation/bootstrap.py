"""How sure a top-k accuracy is, and whether two systems differ on the same questions.

The papers give point values only. We add percentile bootstrap intervals over questions (Efron and
Tibshirani 1993, ch. 13), paired where systems are compared, and McNemar's test in its exact form.

A bootstrap sample draws n questions with replacement. Of 0/1 outcomes only the number of ones
matters, and drawn with replacement it is binomial; of paired 0/1 outcomes the numbers of wins,
ties and losses, which are multinomial. So we draw those numbers: the same distribution as by
drawing questions, without samples x questions of memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 2**22  # numbers drawn at once: bounds the memory

Hits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Comparison:
    """System a against system b on the same questions, in percentage points of accuracy."""

    difference: float  # a - b
    low: float  # bounds of the confidence interval of the difference
    high: float
    p: float  # two-sided, exact McNemar
    wins: int  # questions that a answers and b does not
    ties: int
    losses: int


def accuracy_interval(
    hits: Hits, samples: int, confidence: float, rng: np.random.Generator
) -> tuple[float, float]:
    """The percentile bootstrap interval of an accuracy, in percent."""
    ones = rng.binomial(len(hits), hits.mean(), samples)
    return percentiles(100 * ones / len(hits), confidence)


def bootstrap_means(
    values: NDArray[np.float64], samples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Means of `samples` samples of len(values) values of any kind, drawn with replacement."""
    n = len(values)
    step = max(1, AT_ONCE // n)
    sizes = [min(step, samples - first) for first in range(0, samples, step)]
    return np.concatenate([values[rng.integers(0, n, (size, n))].mean(1) for size in sizes])


def compare(
    a: Hits, b: Hits, samples: int, confidence: float, rng: np.random.Generator
) -> Comparison:
    """Compare outcomes on the same questions, in the same order. Raises ValueError otherwise."""
    wins, ties, losses = count_outcomes(a, b)
    differences = resample_differences((wins, ties, losses), samples, rng)
    low, high = percentiles(differences, confidence)
    p = sign_test(wins, losses)
    return Comparison(100 * (wins - losses) / len(a), low, high, p, wins, ties, losses)


def count_outcomes(a: Hits, b: Hits) -> tuple[int, int, int]:
    """Questions that only `a` answers, that both or neither answer, that only `b` answers."""
    if a.shape != b.shape or not len(a):
        raise ValueError(f"outcomes of shapes {a.shape} and {b.shape} cannot be paired")
    wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
    return wins, len(a) - wins - losses, losses


def resample_differences(
    outcomes: tuple[int, int, int], samples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The difference in accuracy, in percentage points, in each bootstrap sample."""
    n = sum(outcomes)
    drawn = rng.multinomial(n, [count / n for count in outcomes], samples)
    differences: NDArray[np.float64] = 100 * (drawn[:, 0] - drawn[:, 2]) / n
    return differences


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p-value that wins and losses are equally likely; ties say nothing.

    On paired 0/1 outcomes this is McNemar's exact test. Without wins and losses it is 1.
    """
    n = wins + losses
    tail = sum(comb(n, i) for i in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << n))


def percentiles(values: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    """The central interval that holds the share `confidence` of `values`."""
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
