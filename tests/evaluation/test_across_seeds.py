"""Tests over seeds against SciPy's and against drawing seeds and questions one by one."""

import math

import numpy as np
import pytest
from scipy import stats

from ecqg.evaluation.bootstrap import compare_seeds, pooled_interval


def test_paired_tests_over_seeds() -> None:
    a, b = [41.0, 43.0, 44.0, 40.0, 45.0], [40.0, 41.0, 41.0, 40.0, 46.0]
    result = compare_seeds(a, b)
    assert result.mean == 1
    assert result.deviation == pytest.approx(math.sqrt(2.5))
    assert result.t_p == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert (result.wins, result.losses) == (3, 1)
    assert result.sign_p == pytest.approx(2 * 5 / 16)


def test_seeds_without_spread() -> None:
    assert compare_seeds([2, 2], [1, 1]).t_p == 0
    assert compare_seeds([1, 2], [1, 2]).t_p == 1
    assert math.isnan(compare_seeds([1], [2]).t_p)
    assert math.isnan(compare_seeds([1], [2]).deviation)


def outcomes(rng: np.random.Generator, seeds: int, questions: int):
    """Systems of which a answers what is easy; how much easier it finds it differs by seed."""
    easy = rng.random(questions)
    a = [easy + rng.normal(0.1, 0.1) + rng.normal(0, 0.2, questions) > 0.5 for _ in range(seeds)]
    b = [easy + rng.normal(0, 0.2, questions) > 0.5 for _ in range(seeds)]
    return a, b


@pytest.mark.parametrize("same_questions", [True, False])
def test_pooled_interval_is_that_of_drawing_seeds_and_questions(same_questions: bool) -> None:
    a, b = outcomes(np.random.default_rng(3), 4, 80)
    low, high = pooled_interval(
        a,
        b,
        same_questions=same_questions,
        samples=6000,
        confidence=0.9,
        rng=np.random.default_rng(1),
    )
    rng = np.random.default_rng(2)
    means = []
    for _ in range(6000):
        asked = rng.integers(0, 80, 80)
        total = 0.0
        for seed in rng.integers(0, 4, 4):
            if not same_questions:
                asked = rng.integers(0, 80, 80)
            total += a[seed][asked].mean() - b[seed][asked].mean()
        means.append(100 * total / 4)
    assert (low, high) == pytest.approx(tuple(np.quantile(means, [0.05, 0.95])), abs=0.6)


def test_asking_the_same_questions_again_is_less_evidence() -> None:
    a, b = outcomes(np.random.default_rng(4), 1, 60)
    widths = []
    for same_questions in (True, False):
        low, high = pooled_interval(
            a * 6,
            b * 6,
            same_questions=same_questions,
            samples=3000,
            confidence=0.95,
            rng=np.random.default_rng(1),
        )
        widths.append(high - low)
    # six runs that agree on every question tell no more than one: sqrt(6) times the width
    assert widths[0] == pytest.approx(widths[1] * math.sqrt(6), rel=0.1)
