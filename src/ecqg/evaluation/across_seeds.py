"""Whether a difference between systems holds when the whole study is run with other seeds.

The papers report one run of each system. Trained systems differ from seed to seed, so a test over
the questions of one run speaks of that pair of models only; these speak of the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecqg.evaluation.bootstrap import Hits, count_outcomes, percentiles, sign_test


@dataclass(frozen=True, slots=True)
class SeedComparison:
    """A measure of system a less that of system b, seed by seed."""

    differences: tuple[float, ...]
    mean: float
    deviation: float  # sample standard deviation; NaN for a single seed
    t_p: float  # two-sided paired t-test over seeds; NaN for a single seed
    wins: int  # seeds in which a is higher
    ties: int
    losses: int
    sign_p: float  # two-sided exact sign test over seeds


def compare_seeds(a: Sequence[float], b: Sequence[float]) -> SeedComparison:
    """Compare values of the same seeds, in the same order."""
    differences = np.subtract(a, b)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return SeedComparison(
        tuple(differences.tolist()),
        float(differences.mean()),
        float(differences.std(ddof=1)) if len(differences) > 1 else float("nan"),
        _t_test(differences),
        wins,
        len(differences) - wins - losses,
        losses,
        sign_test(wins, losses),
    )


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


def _t_test(differences: NDArray[np.float64]) -> float:
    from scipy.stats import ttest_1samp

    if len(differences) < 2:
        return float("nan")
    if np.ptp(differences) == 0:  # no variance: the statistic is 0/0 or infinite
        return 0.0 if differences[0] else 1.0
    return float(ttest_1samp(differences, 0).pvalue)
