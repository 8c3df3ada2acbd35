"""From a reader's scores to the probability that its answer is right.

Platt scaling (Platt 1999) with two features: a logistic regression on development examples of
whether the extracted answer is an exact match, on (a) the null margin and (b) the log share of the
best span among all spans. "Right" means that the context answers the question *and* the answer is
the gold one, so the probability holds for a mixture of answerable and unanswerable questions like
the development set's. Outcomes are smoothed as Platt proposes, so that a reader which is right on
all examples, or on none, still has a calibration, and a probability is never 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.errors import InputError
from ecqg.files import read_json, write_json

FILE = "calibration.json"
RIDGE = 1e-3  # decides between weights where features are constant or tell the same
NEWTON_STEPS = 100  # it takes about ten

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """P(right) = sigmoid(bias + null_margin * x0 + log_share * x1)."""

    bias: float
    null_margin: float
    log_share: float

    def confidence(self, features: Floats) -> Floats:
        """Probabilities [n] for features [n, 2]: null margin and log share."""
        return _sigmoid(self.bias + features @ np.array([self.null_margin, self.log_share]))

    def save(self, folder: Path) -> None:
        """Write calibration.json into `folder`."""
        write_json(folder / FILE, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> Calibration:
        """Read calibration.json. Raises InputError where it is missing or has other keys."""
        try:
            return cls(**{name: float(value) for name, value in read_json(folder / FILE).items()})
        except (FileNotFoundError, TypeError, AttributeError, ValueError):
            raise InputError(
                "no calibration", file=folder / FILE, remedy="run 'ecqg train-reader'"
            ) from None


def fit(features: Floats, right: Floats) -> Calibration:
    """Fit by Newton's method on features [n, 2] and outcomes [n] of 0 or 1.

    The ridge penalty is on the weights in units of the features' standard deviations.
    """
    target = smoothed(right)
    scale = features.std(axis=0)
    scale[scale == 0] = 1.0
    design = np.column_stack([np.ones(len(target)), features / scale])
    penalty = np.array([0.0, RIDGE, RIDGE])
    weights = np.zeros(3)
    for _ in range(NEWTON_STEPS):
        p = _sigmoid(design @ weights)
        gradient = design.T @ (p - target) / len(target) + penalty * weights
        hessian = (design * (p * (1 - p))[:, None]).T @ design / len(target) + np.diag(penalty)
        step = np.linalg.solve(hessian + 1e-12 * np.eye(3), gradient)
        weights -= step
        if np.abs(step).max() < 1e-10:
            break
    bias, margin, share = weights / np.array([1.0, *scale])
    return Calibration(float(bias), float(margin), float(share))


def smoothed(right: Floats) -> Floats:
    """Platt's targets: (n1 + 1) / (n1 + 2) for the n1 that are right, 1 / (n0 + 2) for the rest."""
    positive = right.sum()
    high, low = (positive + 1) / (positive + 2), 1 / (len(right) - positive + 2)
    target: Floats = low + (high - low) * right
    return target


def cross_fitted(features: Floats, right: Floats, groups: Sequence[int], folds: int = 5) -> Floats:
    """Confidences [n] that never saw their own group, for an honest measure of calibration.

    Group g belongs to fold g modulo `folds`; questions on one context belong together. A single
    group has no others to learn from and sees itself.
    """
    fold = np.asarray(groups) % folds
    confidence = np.empty(len(right))
    for held_out in range(folds):
        inside = fold == held_out
        others = inside if inside.all() else ~inside
        if inside.any():
            confidence[inside] = fit(features[others], right[others]).confidence(features[inside])
    return confidence


def brier(confidence: Floats, right: Floats) -> float:
    """Mean squared difference between probability and outcome; 0 is best."""
    return float(np.mean((confidence - right) ** 2))


def expected_calibration_error(confidence: Floats, right: Floats, bins: int = 10) -> float:
    """Mean |confidence - share right| over bins of equal width, weighted by their size."""
    return sum(
        size * abs(mean - share) for _, size, mean, share in reliability(confidence, right, bins)
    ) / len(right)


def reliability(
    confidence: Floats, right: Floats, bins: int = 10
) -> list[tuple[float, int, float, float]]:
    """Per bin that is not empty: its lower edge, size, mean confidence, share right."""
    index = np.minimum((confidence * bins).astype(int), bins - 1)
    return [
        (b / bins, int(m.sum()), float(confidence[m].mean()), float(right[m].mean()))
        for b in range(bins)
        if (m := index == b).any()
    ]


def area_under_roc(score: Floats, positive: Floats) -> float:
    """The probability that a positive scores above a negative; ties count half.

    nan where one of the classes is empty.
    """
    _, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n = positive.sum()
    if n == 0 or n == len(positive):
        return float("nan")
    wins = ranks[positive == 1].sum() - n * (n + 1) / 2
    return float(wins / (n * (len(positive) - n)))


def _sigmoid(x: Floats) -> Floats:
    return np.exp(-np.logaddexp(0.0, -x))
