"""How good a reader is, and its calibration, on development examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ecqg.corpus.reading import ReadingExample
from ecqg.reading.calibrate import (
    Calibration,
    Floats,
    area_under_roc,
    brier,
    cross_fitted,
    expected_calibration_error,
    fit,
    reliability,
)
from ecqg.reading.predict import Prediction, features
from ecqg.reading.squad_score import exact, f1
from ecqg.tables import write_table


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
        "brier": brier(confidence, right),
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


def _percent(values: Sequence[float] | Floats | np.ndarray[tuple[int], np.dtype[np.bool]]) -> float:
    return 100 * float(np.mean(values)) if len(values) else float("nan")
