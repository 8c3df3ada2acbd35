"""Ranks, correlations and extremes against brute force and hand computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from ecqg.analysis.entity_scores import (
    EntityScore,
    by_passage,
    read_scores,
    score_and_rank,
    write_scores,
)
from ecqg.analysis.explanation import compare_extremes, correlations, spearman
from ecqg.errors import InputError


def question(i, row, attention, score=0.0, rank=1, place=0.5, gradient=1.0):
    return EntityScore(f"{row}.{i}", row, place, attention, gradient, 0.1, score, rank)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 1000), n=st.integers(1, 8), m=st.integers(1, 40))
def test_ranks_are_those_of_brute_force(seed, n, m):
    rng = np.random.default_rng(seed)
    questions = rng.integers(-2, 3, (n, 3)).astype(np.float32)  # small whole numbers: many ties
    passages = rng.integers(-2, 3, (m, 3)).astype(np.float32)
    rows = rng.integers(0, m, n)
    scores, ranks = score_and_rank(questions, rows, passages)
    for i in range(n):
        every = [float(questions[i] @ passage) for passage in passages]
        assert scores[i] == every[rows[i]]
        assert ranks[i] == 1 + sum(score > every[rows[i]] for score in every)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_spearman_equals_scipy(pairs):
    a, b = np.array(pairs, np.float64).T
    expected = spearmanr(a, b).statistic if len(set(a)) > 1 < len(set(b)) else float("nan")
    assert spearman(a, b) == pytest.approx(expected, nan_ok=True)


def test_attention_explains_ranks_where_it_orders_them():
    groups = [
        [question(i, row, attention=a, rank=r, place=a) for i, (a, r) in enumerate(pairs)]
        for row, pairs in enumerate(
            [
                [(0.1, 30), (0.2, 20), (0.3, 1)],  # +1
                [(0.1, 3), (0.9, 8)],  # -1
                [(0.1, 5), (0.2, 5)],  # all ranks the same: says nothing
                [(float("nan"), 5), (0.2, 7)],  # an entity that is not seen
                [(0.5, 9), (0.4, 11), (0.6, 10)],  # ranks of attention 2 1 3, of -rank 3 1 2: 0.5
            ]
        )
    ]
    found = correlations(groups, 2000, 0.95, np.random.default_rng(1))
    assert found["attention"]["passages"] == 3
    assert found["attention"]["mean"] == pytest.approx((1 - 1 + 0.5) / 3)
    assert found["attention"]["low"] == -1
    assert found["attention"]["high"] == 1
    assert found["early"]["mean"] == pytest.approx((-1 + 1 - 0.5) / 3)  # place equals attention
    # Attention less place, passage by passage: 2, -2 and 1, whose t is 0.28 with 2 degrees.
    less = found["early"]["attention_less"]
    assert (less["mean"], less["passages"]) == (pytest.approx(1 / 3), 3)
    t = (1 / 3) / (13 / 3 / 3) ** 0.5
    assert less["p"] == pytest.approx(1 - t / (2 + t * t) ** 0.5)  # Student's, 2 degrees, by hand
    assert "attention_less" not in found["attention"]
    assert "gradient" not in found  # the same for all: no correlation anywhere


def test_extremes_compare_the_highest_with_the_lowest_of_each_passage():
    groups = [
        [question(0, 0, 0.3, 10, 1), question(1, 0, 0.1, 6, 4), question(2, 0, 0.2, 99, 9)],
        [question(0, 1, 0.1, 5, 2), question(1, 1, 0.4, 7, 1)],
        [question(0, 2, 0.1, 3, 1), question(1, 2, float("nan"), 1, 1)],  # not counted
    ]
    found = compare_extremes(groups, 500, 0.95, np.random.default_rng(1))
    assert found["passages"] == 2
    assert found["highest"] == {"score": 8.5, "top1": 100.0, "median_rank": 1.0}
    assert found["lowest"] == {"score": 5.5, "top1": 0.0, "median_rank": 3.0}
    # differences 4 and 2: t = 3 / (sqrt(2) / sqrt(2)) = 3 with one degree of freedom
    assert found["difference"]["score"] == 3.0
    assert (found["difference"]["low"], found["difference"]["high"]) == (2.0, 4.0)
    assert found["difference"]["p"] == pytest.approx(0.2048, abs=1e-4)


def test_scores_are_read_back(tmp_path):
    scores = [question(0, 3, 0.25), question(1, 3, float("nan")), question(0, 1, 0.1)]
    write_scores(tmp_path / "dpr.csv", scores)
    back = read_scores(tmp_path / "dpr.csv")
    assert [str(score) for score in back] == [str(score) for score in scores]  # nan != nan
    assert [[s.id for s in group] for group in by_passage(back)] == [["3.0", "3.1"]]
    (tmp_path / "dpr.csv").write_text("id,row\n1,x\n")
    with pytest.raises(InputError, match=r"dpr\.csv:1: 'id,row' where 'id,row,place,"):
        read_scores(tmp_path / "dpr.csv")
