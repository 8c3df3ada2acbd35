"""Holm, equivalence, power, intervals and effect ratios against values worked out by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from ecqg.evaluation.seed_tests import (
    effect_ratio,
    equivalence,
    holm,
    prediction_interval,
    relative_change,
    resolvable,
    sampling_error,
)


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04, times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, which may not fall.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]).tolist() == [1, 1]
    assert holm([]).tolist() == []
    assert np.isnan(holm([math.nan, math.nan])).all()


def test_holm_rejects_step_by_step() -> None:
    p = np.random.default_rng(1).beta(0.3, 3, 40)
    rejected = set()
    for step, index in enumerate(np.argsort(p)):
        if p[index] > 0.05 / (len(p) - step):
            break
        rejected.add(int(index))
    assert 3 < len(rejected) < 40
    assert {i for i, corrected in enumerate(holm(p)) if corrected <= 0.05} == rejected


def test_equivalence_by_hand() -> None:
    # mean 0.2, s 0.4472, standard error 0.2; to the nearer margin t = (1 - 0.2) / 0.2 = 4
    found = equivalence([-0.4, 0.0, 0.2, 0.4, 0.8], 1)
    spread = math.sqrt((0.36 + 0.04 + 0 + 0.04 + 0.36) / 4)
    assert found == pytest.approx(stats.t.sf(0.8 / (spread / math.sqrt(5)), 4))
    assert found < 0.05
    assert equivalence([0.8, 0.9, 1.3, 1.4, 0.6], 1) > 0.4  # mean 1.0
    assert equivalence([-2.0, -2.1, -1.9], 1) > 0.99
    assert equivalence([0.5, 0.5], 1) == 0
    assert equivalence([-1.5, -1.5], 1) == 1
    assert math.isnan(equivalence([0.1], 1))


@pytest.mark.parametrize("seeds", [3, 10])
def test_what_is_resolved_is_found_with_that_power(seeds: int) -> None:
    true = resolvable(2.0, seeds, 0.05)
    drawn = np.random.default_rng(5).normal(true, 2.0, (20_000, seeds))
    assert (stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean() == pytest.approx(
        0.8, abs=0.01
    )
    assert resolvable(4.0, seeds, 0.05) == pytest.approx(2 * true)
    assert resolvable(2.0, seeds, 0.001) > true


def test_prediction_interval_by_hand() -> None:
    # mean 50, s 2, t with 3 degrees of freedom 5.8409 at 99.5 %
    values = [48.0, 49.0, 50.0, 53.0]
    spread = math.sqrt((4 + 1 + 0 + 9) / 3)
    half = 5.84091 * spread * math.sqrt(1.25)
    assert prediction_interval(values, 0.99) == pytest.approx((50 - half, 50 + half), abs=1e-4)
    # 4.6041 at 99.5 % with 4 degrees of freedom
    half = 4.60409 * 0.5 * math.sqrt(1.2)
    flat = prediction_interval([7.0] * 5, 0.99, least=0.5)
    assert flat == pytest.approx((7 - half, 7 + half), abs=1e-4)


def test_prediction_interval_holds_what_it_says() -> None:
    drawn = np.random.default_rng(2).normal(0, 3, (4000, 6))
    inside = 0
    for *seeds, again in drawn:
        low, high = prediction_interval(seeds, 0.9)
        inside += low <= again <= high
    assert inside / len(drawn) == pytest.approx(0.9, abs=0.015)


def test_sampling_error_by_hand() -> None:
    # 48 of 96, with 2 of 4 more: 50 of 100
    assert sampling_error(50, 96) == pytest.approx(5)
    assert sampling_error(100, 96) == pytest.approx(100 * math.sqrt(0.98 * 0.02 / 100))


def test_effect_ratio_and_relative_change_by_hand() -> None:
    # 40 -> 44 against 50 -> 52: half of the improvement in points; 10 % against 4 %
    assert effect_ratio(4, 2) == 0.5
    assert relative_change(4, 40, 2, 50) == pytest.approx(0.06)
    assert effect_ratio(4, -2) == -0.5
    assert math.isnan(effect_ratio(0, 1))
    assert math.isnan(relative_change(1, 0, 1, 2))
