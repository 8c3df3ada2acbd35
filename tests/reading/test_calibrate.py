"""Calibration against its definitions."""

from __future__ import annotations

import numpy as np
import pytest

from ecqg.reading.calibrate import (
    Calibration,
    area_under_roc,
    cross_fitted,
    expected_calibration_error,
    fit,
    reliability,
    smoothed,
)


@pytest.fixture(scope="module")
def sample() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(800, 2)) * [5.0, 0.3]
    odds = 0.4 * features[:, 0] + 2 * features[:, 1] - 0.5
    return features, (rng.random(800) < 1 / (1 + np.exp(-odds))).astype(float)


def test_fit_is_the_minimum_of_its_loss(sample) -> None:
    from scipy.optimize import minimize

    features, right = sample
    target, scaled = smoothed(right), features / features.std(axis=0)

    def loss(weights: np.ndarray) -> float:
        odds = weights[0] + scaled @ weights[1:]
        fits = target * np.logaddexp(0, -odds) + (1 - target) * np.logaddexp(0, odds)
        return float(fits.mean() + 1e-3 / 2 * (weights[1:] ** 2).sum())

    bias, *weights = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-7}).x
    got = fit(features, right)
    assert got.bias == pytest.approx(bias, abs=1e-5)
    expected = weights / features.std(axis=0)
    assert [got.null_margin, got.log_share] == pytest.approx(expected, abs=1e-5)
    odds = bias + scaled @ weights
    assert got.confidence(features) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


def test_separable_outcomes_and_a_constant_feature_stay_finite() -> None:
    features = np.column_stack([np.linspace(-1, 1, 40), np.zeros(40)])
    got = fit(features, (features[:, 0] > 0).astype(float))
    assert np.isfinite([got.bias, got.null_margin, got.log_share]).all()
    confidence = got.confidence(features)
    assert (np.diff(confidence) >= 0).all()
    assert confidence[0] < 0.1 < 0.9 < confidence[-1]


def test_smoothing_by_hand() -> None:
    assert smoothed(np.array([1.0, 0, 1, 1])) == pytest.approx([4 / 5, 1 / 3, 4 / 5, 4 / 5])


@pytest.mark.parametrize(("outcome", "share"), [(0.0, 1 / 5), (1.0, 4 / 5)])
def test_all_alike_is_a_constant_confidence(outcome: float, share: float) -> None:
    got = fit(np.array([[1.0, 2], [3, 4], [5, 0]]), np.full(3, outcome))
    assert got.confidence(np.array([[9.0, -9]])) == pytest.approx([share], abs=1e-6)


def test_confidences_of_a_group_do_not_depend_on_its_outcomes(sample) -> None:
    features, right = sample
    groups = [i // 4 for i in range(len(right))]
    before = cross_fitted(features, right, groups)
    flipped = right.copy()
    fold = np.array(groups) % 5 == 2
    flipped[fold] = 1 - flipped[fold]
    after = cross_fitted(features, flipped, groups)
    assert (before[fold] == after[fold]).all()
    assert (before[~fold] != after[~fold]).any()


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.05, 0.15, 0.17, 1.0])
    right = np.array([0.0, 1.0, 0.0, 1.0])
    assert reliability(confidence, right) == [
        (0.0, 1, 0.05, 0.0),
        (0.1, 2, pytest.approx(0.16), 0.5),
        (0.9, 1, 1.0, 1.0),
    ]
    error = (1 * 0.05 + 2 * 0.34 + 1 * 0.0) / 4
    assert expected_calibration_error(confidence, right) == pytest.approx(error)


def test_area_under_roc(sample) -> None:
    assert area_under_roc(np.array([1.0, 2, 2, 3]), np.array([0.0, 0, 1, 1])) == 3.5 / 4
    assert np.isnan(area_under_roc(np.array([1.0, 2]), np.array([1.0, 1])))
    features, right = sample
    rounded = features[:, 0].round()
    wins = np.sign(rounded[right == 1][:, None] - rounded[right == 0]) / 2 + 0.5
    assert area_under_roc(rounded, right) == pytest.approx(wins.mean())


def test_confidence_by_hand() -> None:
    assert Calibration(-0.25, 0.5, 2.0).confidence(np.array([[0.5, 0.0]])) == pytest.approx([0.5])
