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

from ecqg.files import read_as, write_json

FILE = "calibration.json"
RIDGE = 1e-3  # decides between weights where features are constant or tell the same
TOLERANCE = 1e-10  # of the gradient

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """P(right) = sigmoid(bias + null_margin * x0 + log_share * x1)."""

    bias: float
    null_margin: float
    log_share: float

    def confidence(self, features: Floats) -> Floats:
        """Probabilities [n] for features [n, 2]: null margin and log share."""
        from scipy.special import expit

        log_odds = self.bias + features @ np.array([self.null_margin, self.log_share])
        return np.asarray(expit(log_odds))

    def save(self, folder: Path) -> None:
        """Write calibration.json into `folder`."""
        write_json(folder / FILE, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> Calibration:
        """Read calibration.json. Raises InputError where it is missing or lacks a number."""
        return read_as(folder / FILE, cls, "no calibration", "run 'ecqg train-reader'")


def fit(features: Floats, right: Floats) -> Calibration:
    """Fit on features [n, 2] and outcomes [n] of 0 or 1.

    The ridge penalty is on the weights in units of the features' standard deviations.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler(with_mean=False).fit(features).scale_
    target = smoothed(right)
    # A target of 0.9 is an example of weight 0.9 that is right and one of 0.1 that is wrong.
    labels, weights = np.repeat([1, 0], len(target)), np.concatenate([target, 1 - target])
    # C weighs the sum of the losses against half the squared weights.
    model = LogisticRegression(C=1 / (RIDGE * len(target)), solver="newton-cholesky", tol=TOLERANCE)
    model.fit(np.tile(features / scale, (2, 1)), labels, weights)
    return Calibration(float(model.intercept_[0]), *(model.coef_[0] / scale).tolist())


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
    from sklearn.model_selection import PredefinedSplit

    confidence = np.empty(len(right))
    for others, inside in PredefinedSplit(np.asarray(groups) % folds).split():
        seen = others if len(others) else inside
        confidence[inside] = fit(features[seen], right[seen]).confidence(features[inside])
    return confidence


def brier(confidence: Floats, right: Floats) -> float:
    """Mean squared difference between probability and outcome; 0 is best."""
    from sklearn.metrics import brier_score_loss

    return float(brier_score_loss(right, confidence))


def expected_calibration_error(confidence: Floats, right: Floats, bins: int = 10) -> float:
    """Mean |confidence - share right| over bins of equal width, weighted by their size."""
    return sum(
        size * abs(mean - share) for _, size, mean, share in reliability(confidence, right, bins)
    ) / len(right)


def reliability(
    confidence: Floats, right: Floats, bins: int = 10
) -> list[tuple[float, int, float, float]]:
    """Per bin that is not empty: its lower edge, size, mean confidence, share right.

    scikit-learn's calibration_curve does not tell the size.
    """
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
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(positive, score)) if len({*positive}) > 1 else float("nan")
