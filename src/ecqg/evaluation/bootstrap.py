"""How sure a top-k accuracy is, and whether two systems differ: on the same questions, over seeds.

The papers give point values only. We add percentile bootstrap intervals over questions (Efron and
Tibshirani 1993, ch. 13), paired where systems are compared, and McNemar's test in its exact form.

A bootstrap sample draws n questions with replacement. Of 0/1 outcomes only the number of ones
matters, and drawn with replacement it is binomial; of paired 0/1 outcomes the numbers of wins,
ties and losses, which are multinomial. So we draw those numbers: the same distribution as by
drawing questions, without samples x questions of memory.

The papers report one run of each system. Trained systems differ from seed to seed, so a test over
the questions of one run speaks of that pair of models only; those over seeds speak of the method.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    n = len(a)
    drawn = rng.multinomial(n, [count / n for count in (wins, ties, losses)], samples)
    low, high = percentiles(100 * (drawn[:, 0] - drawn[:, 2]) / n, confidence)
    p = sign_test(wins, losses)
    return Comparison(100 * (wins - losses) / n, low, high, p, wins, ties, losses)


def count_outcomes(a: Hits, b: Hits) -> tuple[int, int, int]:
    """Questions that only `a` answers, that both or neither answer, that only `b` answers."""
    if a.shape != b.shape or not len(a):
        raise ValueError(f"outcomes of shapes {a.shape} and {b.shape} cannot be paired")
    wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
    return wins, len(a) - wins - losses, losses


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


@dataclass(frozen=True, slots=True)
class SeedComparison:
    """A measure of system a less that of system b, seed by seed."""

    mean: float
    deviation: float  # sample standard deviation; NaN for a single seed
    t_p: float  # two-sided paired t-test over seeds; NaN for a single seed
    wins: int  # seeds in which a is higher
    losses: int
    sign_p: float  # two-sided exact sign test over seeds


def compare_seeds(a: Sequence[float], b: Sequence[float]) -> SeedComparison:
    """Compare values of the same seeds, in the same order."""
    from scipy.stats import ttest_1samp

    differences = np.subtract(a, b)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    deviation = p = float("nan")
    if len(differences) > 1:
        deviation = float(differences.std(ddof=1))
        if np.ptp(differences):
            p = float(ttest_1samp(differences, 0).pvalue)
        else:  # no variance: the statistic is 0/0 or infinite
            p = 0.0 if differences[0] else 1.0
    mean = float(differences.mean())
    return SeedComparison(mean, deviation, p, wins, losses, sign_test(wins, losses))


def pooled_interval(
    a: Sequence[Hits],
    b: Sequence[Hits],
    *,
    same_questions: bool,
    samples: int,
    confidence: float,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean difference in accuracy, in points.

    `a` and `b` hold one array of outcomes for each seed. Seeds are drawn with replacement, and so
    are questions: once for all seeds where they were asked the same ones, so that a lucky choice
    of questions is not taken for many choices; else within each drawn seed.
    """
    draw = _crossed if same_questions else _nested
    return percentiles(100 * draw(a, b, samples, rng), confidence)


def _crossed(
    a: Sequence[Hits], b: Sequence[Hits], samples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    differences = np.stack([x.astype(np.float64) - y for x, y in zip(a, b, strict=True)])
    seeds, questions = differences.shape
    out = np.empty(samples)
    for i in range(samples):
        times = np.bincount(rng.integers(0, seeds, seeds), minlength=seeds)
        asked = np.bincount(rng.integers(0, questions, questions), minlength=questions)
        out[i] = times @ differences @ asked / (seeds * questions)
    return out


def _nested(
    a: Sequence[Hits], b: Sequence[Hits], samples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    outcomes = np.array([count_outcomes(x, y) for x, y in zip(a, b, strict=True)])
    sizes = outcomes.sum(1)
    chosen = rng.integers(0, len(outcomes), (samples, len(outcomes)))
    drawn = rng.multinomial(sizes[chosen], (outcomes / sizes[:, None])[chosen])
    differences = (drawn[..., 0] - drawn[..., 2]) / sizes[chosen]
    return np.asarray(differences.mean(1), np.float64)
