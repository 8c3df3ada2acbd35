"""What paired tests over seeds leave open: many claims at once, equality, power, and one more run.

SciPy has the distributions; Holm's correction, which it lacks, and effect ratios are a line each.
`repro_eval` computes the latter from run files of both studies with their judgements. What is kept
of seeds is their accuracies, and its formulas need no more than means.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray


def holm(p: Sequence[float]) -> NDArray[np.float64]:
    """p-values of one family, corrected (Holm 1979), in their order; NaN if any of them is NaN.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values)
    steps = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(1, steps)
    return corrected


def equivalence(differences: Sequence[float], margin: float) -> float:
    """The p-value of two one-sided t-tests that the mean lies within ± `margin` (Schuirmann 1987).

    NaN for a single seed.
    """
    from scipy.stats import ttest_1samp

    if len(differences) < 2:
        return nan
    if not np.ptp(differences):
        return float(abs(differences[0]) >= margin)
    above = ttest_1samp(differences, -margin, alternative="greater").pvalue
    below = ttest_1samp(differences, margin, alternative="less").pvalue
    return float(max(above, below))


def resolvable(deviation: float, seeds: int, alpha: float, power: float = 0.8) -> float:
    """The true difference that a two-sided paired t-test at `alpha` finds with that power.

    `deviation` is that of the differences over at least two seeds, in their unit. By the
    non-central t distribution (Cohen 1988, ch. 2); the far tail counts for nothing.
    """
    from scipy.optimize import brentq
    from scipy.stats import nct, t

    bound = t.isf(alpha / 2, seeds - 1)
    shift = brentq(lambda shift: nct.sf(bound, seeds - 1, shift) - power, 0, 5 * bound + 5)
    return float(shift * deviation / sqrt(seeds))


def prediction_interval(
    values: Sequence[float], confidence: float, least: float = 0.0
) -> tuple[float, float]:
    """Where one more observation falls with that probability (Hahn and Meeker 1991).

    mean ± t s √(1 + 1/n) of at least two values of a normal distribution; where they do not differ
    `least` stands for s.
    """
    from scipy.stats import t

    n, mean = len(values), float(np.mean(values))
    spread = float(np.std(values, ddof=1)) if np.ptp(values) else least
    half = float(t.ppf((1 + confidence) / 2, n - 1)) * spread * sqrt(1 + 1 / n)
    return mean - half, mean + half


def sampling_error(percent: float, questions: int) -> float:
    """The standard error of an accuracy over that many questions, in points.

    With two right and two wrong ones added, so that it is above 0 at 0 and 100 % as well (Agresti
    and Coull 1998).
    """
    share = (percent / 100 * questions + 2) / (questions + 4)
    return 100 * sqrt(share * (1 - share) / (questions + 4))


def effect_ratio(original: float, again: float) -> float:
    """How much of an improvement another run has: 1 all of it, below 0 the reverse (ER).

    Breuer et al. 2020, How to Measure the Reproducibility of System-oriented IR Experiments, SIGIR,
    doi 10.1145/3397271.3401036. NaN where there was none.
    """
    return again / original if original else nan


def relative_change(original: float, base: float, again: float, base_again: float) -> float:
    """The improvement over the baseline, less another run's, as shares of the baseline (ΔRI).

    0 where both improve alike, below 0 where the other run improves more (Breuer et al.
    2020). NaN where a baseline is 0.
    """
    return original / base - again / base_again if base and base_again else nan
