"""Intervals and tests against SciPy's, on the same outcomes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ecqg.evaluation.bootstrap import accuracy_interval, compare, count_outcomes, sign_test

RNG = np.random.default_rng(0)
A = RNG.random(400) < 0.6
B = np.where(RNG.random(400) < 0.7, A, RNG.random(400) < 0.4)  # correlated with A


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_interval_of_an_accuracy_is_scipys_percentile_bootstrap() -> None:
    low, high = accuracy_interval(A, 20_000, 0.9, rng())
    other = stats.bootstrap(
        (100.0 * A,), np.mean, n_resamples=20_000, confidence_level=0.9, method="percentile"
    ).confidence_interval
    assert (low, high) == pytest.approx((other.low, other.high), abs=0.3)


def test_interval_of_a_difference_is_scipys_paired_percentile_bootstrap() -> None:
    result = compare(A, B, 20_000, 0.95, rng())
    other = stats.bootstrap(
        (100.0 * A, 100.0 * B),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        paired=True,
        n_resamples=20_000,
        confidence_level=0.95,
        method="percentile",
    ).confidence_interval
    assert result.difference == pytest.approx(100 * (A.mean() - B.mean()))
    assert (result.low, result.high) == pytest.approx((other.low, other.high), abs=0.4)
    unpaired = 1.96 * 100 * np.sqrt((A.var() + B.var()) / len(A))
    assert result.high - result.difference < 0.9 * unpaired  # pairing narrows the interval


def test_hand_counted_outcomes() -> None:
    a = np.array([1, 1, 1, 1, 0, 0, 1, 1], bool)
    b = np.array([0, 0, 0, 0, 1, 0, 1, 0], bool)
    result = compare(a, b, 1000, 0.95, rng())
    assert (result.wins, result.ties, result.losses) == (5, 2, 1)
    assert result.difference == 50.0
    assert result.p == pytest.approx(2 * (1 + 6) / 64)
    with pytest.raises(ValueError, match="paired"):
        count_outcomes(a, b[:3])


def test_equal_systems_do_not_differ() -> None:
    result = compare(A, A, 500, 0.95, rng())
    assert (result.difference, result.low, result.high, result.p) == (0, 0, 0, 1)


def test_the_same_stream_gives_the_same_interval() -> None:
    assert compare(A, B, 500, 0.95, rng()) == compare(A, B, 500, 0.95, rng())


@given(st.integers(0, 900), st.integers(0, 900))
def test_sign_test_is_the_exact_binomial_test(wins: int, losses: int) -> None:
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected)
