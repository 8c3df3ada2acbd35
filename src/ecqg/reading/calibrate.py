"""From a reader's scores to the probability that its answer is right, and how good both are.

Platt scaling (Platt 1999) with two features: a logistic regression on development examples of
whether the extracted answer is an exact match, on (a) the null margin and (b) the log share of the
best span among all spans. "Right" means that the context answers the question *and* the answer is
the gold one, so the probability holds for a mixture of answerable and unanswerable questions like
the development set's. Outcomes are smoothed as Platt proposes, so that a reader which is right on
all examples, or on none, still has a calibration, and a probability is never 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.reading import ReadingExample
from ecqg.reading.squad_score import exact, f1
from ecqg.tables import write_table

if TYPE_CHECKING:
    from ecqg.reading.predict import Prediction

RIDGE = 1e-3  # decides between weights where features are constant or tell the same
TOLERANCE = 1e-10  # of the gradient
FOLDS = 5
BINS = 10  # of equal width

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


def features(predictions: Sequence[Prediction]) -> Floats:
    """What confidence is computed from, [n, 2]: null margin and log share."""
    return np.array([(p.null_margin, p.log_share) for p in predictions]).reshape(-1, 2)


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


def cross_fitted(features: Floats, right: Floats, groups: Sequence[int]) -> Floats:
    """Confidences [n] that never saw their own group, for an honest measure of calibration.

    Group g belongs to fold g modulo FOLDS; questions on one context belong together. A single
    group has no others to learn from and sees itself.
    """
    from sklearn.model_selection import PredefinedSplit

    confidence = np.empty(len(right))
    for others, inside in PredefinedSplit(np.asarray(groups) % FOLDS).split():
        seen = others if len(others) else inside
        confidence[inside] = fit(features[seen], right[seen]).confidence(features[inside])
    return confidence


def expected_calibration_error(confidence: Floats, right: Floats) -> float:
    """Mean |confidence - share right| over BINS, weighted by their size."""
    rows = reliability(confidence, right)
    return sum(size * abs(mean - share) for _, size, mean, share in rows) / len(right)


def reliability(confidence: Floats, right: Floats) -> list[tuple[float, int, float, float]]:
    """Per bin of BINS that is not empty: its lower edge, size, mean confidence, share right.

    scikit-learn's calibration_curve does not tell the size.
    """
    index = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return [
        (b / BINS, int(m.sum()), float(confidence[m].mean()), float(right[m].mean()))
        for b in range(BINS)
        if (m := index == b).any()
    ]


def area_under_roc(score: Floats, positive: Floats) -> float:
    """The probability that a positive scores above a negative; ties count half.

    nan where one of the classes is empty.
    """
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(positive, score)) if len({*positive}) > 1 else float("nan")


def calibrate(
    examples: Sequence[ReadingExample], predictions: Sequence[Prediction]
) -> tuple[Calibration, Floats, Floats]:
    """The calibration fitted on all examples, cross-fitted confidences [n], and outcomes [n].

    An outcome is 1 where the context answers the question and the span is an exact match.
    """
    inputs, right = features(predictions), outcomes(examples, predictions)
    contexts: dict[str, int] = {}
    groups = [contexts.setdefault(example.context, len(contexts)) for example in examples]
    return fit(inputs, right), cross_fitted(inputs, right, groups), right


def outcomes(examples: Sequence[ReadingExample], predictions: Sequence[Prediction]) -> Floats:
    """1 where the extracted span is a gold answer, else 0; 0 for every unanswerable question."""
    return np.array(
        [
            float(bool(e.answers) and exact([a.text for a in e.answers], p.answer))
            for e, p in zip(examples, predictions, strict=True)
        ]
    )


def scores(
    examples: Sequence[ReadingExample],
    predictions: Sequence[Prediction],
    confidence: Floats,
    right: Floats,
) -> dict[str, float]:
    """Percentages, save for the areas under ROC curves, the Brier score and the ECE (0 to 1).

    `exact` and `f1` are SQuAD v2's over all examples, with the null answer where its score is the
    higher one; `span_exact` and `span_f1` are those of the best span on answerable examples alone,
    null or not; `answered` and `no_answer_accuracy` are the shares of answerable examples with a
    span and of unanswerable ones without; `answerability_auc` ranks by null margin,
    `confidence_auc` by confidence.
    """
    from sklearn.metrics import brier_score_loss

    gold = [[a.text for a in e.answers] for e in examples]
    spans = [p.answer for p in predictions]
    final = [p.answer if p.null_margin > 0 else "" for p in predictions]
    margin = np.array([p.null_margin for p in predictions])
    answerable = np.array([bool(g) for g in gold])
    triples = list(zip(gold, spans, final, strict=True))
    measured = {
        "examples": len(gold),
        "answerable": int(answerable.sum()),
        "exact": _percent([exact(g, f) for g, _, f in triples]),
        "f1": _percent([f1(g, f) for g, _, f in triples]),
        "span_exact": _percent([exact(g, s) for g, s, _ in triples if g]),
        "span_f1": _percent([f1(g, s) for g, s, _ in triples if g]),
        "answered": _percent(margin[answerable] > 0),
        "no_answer_accuracy": _percent(margin[~answerable] <= 0),
        "answerability_auc": area_under_roc(margin, answerable.astype(float)),
        "confidence_auc": area_under_roc(confidence, right),
        "brier": float(brier_score_loss(right, confidence)),
        "ece": expected_calibration_error(confidence, right),
    }
    # A set without unanswerable questions leaves some undefined, and JSON has no NaN.
    return {name: value for name, value in measured.items() if not math.isnan(value)}


def write_reliability(path: Path, confidence: Floats, right: Floats) -> None:
    """Write CSV of ten bins of confidence: lower edge, examples, mean confidence, share right."""
    rows = (
        [f"{edge:.1f}", size, f"{mean:.6f}", f"{share:.6f}"]
        for edge, size, mean, share in reliability(confidence, right)
    )
    write_table(path, ("bin", "examples", "confidence", "right"), rows)


def _percent(values: Sequence[float] | NDArray[Any]) -> float:
    return 100 * float(np.mean(values)) if len(values) else float("nan")
