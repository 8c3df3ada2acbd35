"""Do two systems attend differently? Paired over the same passages.

The papers give differences of means (SIGIR sec. 4.1) without uncertainty. We add the percentile
bootstrap interval over passages and the paired t-test. Both speak of these two trained models on
other passages; what another training seed would bring is for a comparison over seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.per_passage import read_per_passage
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import percentiles
from ecqg.seeds import numpy_rng

AT_ONCE = 2**22  # numbers drawn at once: bounds the memory


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of system a less that of system b, over passages."""

    difference: float  # mean
    percent: float  # of b's mean
    low: float  # bounds of the confidence interval of the mean difference
    high: float
    p: float  # two-sided, paired t-test
    wins: int  # passages with a higher value in a
    ties: int
    losses: int


def paired_attention_tests(
    files: Mapping[str, Path],
    pairs: Iterable[tuple[str, str]],
    *,
    samples: int,
    confidence: float,
    seed: int,
) -> dict[tuple[str, str], dict[str, Difference]]:
    """Differences by measure, for each pair of the systems.

    `files` gives each system's file of attention per passage (ecqg.attention.per_passage).
    Passages without a measure (later sentences of a single one) do not count. Raises InputError
    where two files are about different passages.
    """
    read = {system: read_per_passage(file) for system, file in files.items()}
    tests: dict[tuple[str, str], dict[str, Difference]] = {}
    for a, b in pairs:
        if read[a].ids != read[b].ids:
            remedy = f"run 'ecqg attention' again for {a} and {b}"
            raise InputError(f"other passages than {b}'s", file=files[a], remedy=remedy)
        pair = tests[a, b] = {}
        for measure, values in read[a].values.items():
            rng = numpy_rng(seed, "attention", a, b, measure)
            both = np.stack([values, read[b].values[measure]])
            both = both[:, ~np.isnan(both).any(0)]
            pair[measure] = compare(both[0], both[1], samples, confidence, rng)
    return tests


def compare(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    samples: int,
    confidence: float,
    rng: np.random.Generator,
) -> Difference:
    """Compare values on the same n >= 2 passages, in the same order."""
    from scipy.stats import ttest_rel

    differences = a - b
    low, high = percentiles(bootstrap_means(differences, samples, rng), confidence)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return Difference(
        difference=float(differences.mean()),
        percent=float(100 * differences.mean() / b.mean()),
        low=low,
        high=high,
        p=float(ttest_rel(a, b).pvalue) if differences.any() else 1.0,
        wins=wins,
        ties=len(differences) - wins - losses,
        losses=losses,
    )


def bootstrap_means(
    values: NDArray[np.float64], samples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Means of `samples` samples of len(values) values, drawn with replacement."""
    n = len(values)
    means = np.empty(samples)
    step = max(1, AT_ONCE // n)
    for first in range(0, samples, step):
        size = min(step, samples - first)
        means[first : first + size] = values[rng.integers(0, n, (size, n))].mean(1)
    return means
