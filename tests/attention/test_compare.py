"""Paired comparison of systems on the same passages."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from ecqg.attention.per_passage import (
    HEADER,
    MEASURES,
    compare,
    paired_attention_tests,
    read_per_passage,
    write_per_passage,
)
from ecqg.attention.positions import Halves
from ecqg.attention.tokens import AttentionMeasures
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import bootstrap_means

NONE = np.zeros(0)
HALVES = (Halves(True, False), None)
OPTIONS = {"samples": 500, "confidence": 0.9, "seed": 3}


def write(path: Path, values: list[tuple[float, float, float]], first: int = 0) -> Path:
    write_per_passage(
        path,
        (
            (
                Passage(i, f"p{i}", "", "x", (0,)),
                AttentionMeasures(9, entropy, NONE, NONE, *densities, 1.0),
                half,
            )
            for i, ((entropy, *densities), half) in enumerate(zip(values, cycle(HALVES)), first)
        ),
    )
    return path


def test_numbers_read_back_unchanged(tmp_path: Path) -> None:
    values = [(1 / 3, 1.1, 0.7), (2.5, 1.0, float("nan"))]
    found = read_per_passage(write(tmp_path / "dpr.csv", values))
    assert found["id"].tolist() == ["p0", "p1"]
    assert found["row"].tolist() == [0, 1]
    assert found["entropy"].tolist() == [1 / 3, 2.5]
    np.testing.assert_array_equal(found["later_sentences"], [0.7, np.nan])
    np.testing.assert_array_equal(found["highest_first_half"], [1, np.nan])
    np.testing.assert_array_equal(found["lowest_second_half"], [0, np.nan])


def test_pairs_by_hand(tmp_path: Path) -> None:
    nan = float("nan")
    a = write(tmp_path / "a.csv", [(4.0, 2.0, 0.8), (3.0, 1.0, nan), (3.5, 1.0, 0.6)])
    b = write(tmp_path / "b.csv", [(4.5, 1.0, 0.9), (3.0, 1.0, nan), (3.6, 1.0, 0.9)])
    tests = paired_attention_tests({"dpr": a, "mixed": b}, [("mixed", "dpr")], **OPTIONS)
    assert list(tests) == [("mixed", "dpr", measure) for measure in MEASURES]
    entropy = tests["mixed", "dpr", "entropy"]
    assert entropy.difference == pytest.approx(0.2)
    assert entropy.percent == pytest.approx(100 * 0.6 / 10.5)
    assert (entropy.wins, entropy.ties, entropy.losses) == (2, 1, 0)
    assert entropy.low <= entropy.difference <= entropy.high
    later = tests["mixed", "dpr", "later_sentences"]
    assert later.difference == pytest.approx(0.2)
    assert later.wins + later.ties + later.losses == 2  # one passage has no later ones


def test_the_pairs_that_are_asked_for(tmp_path: Path) -> None:
    files = {s: write(tmp_path / s, [(1, 1, 1), (2, 2, 2)]) for s in ("dpr", "uncon", "mixed")}
    pairs = [("mixed", "uncon"), ("dpr", "mixed")]
    tests = paired_attention_tests(files, pairs, **OPTIONS)
    assert list(dict.fromkeys((a, b) for a, b, _ in tests)) == pairs
    same = tests["mixed", "uncon", "entropy"]
    assert (same.difference, same.p, same.ties) == (0, 1, 2)
    assert tests == paired_attention_tests(files, pairs, **OPTIONS)


def test_interval_and_p_agree_with_the_t_distribution() -> None:
    rng = np.random.default_rng(2)
    b = rng.normal(4, 0.3, 400)
    a = b + rng.normal(0.02, 0.1, 400)
    found = compare(a, b, 4000, 0.95, np.random.default_rng(1))
    expected = stats.ttest_1samp(a - b, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-3)
    assert found.p == pytest.approx(stats.ttest_1samp(a - b, 0).pvalue)


def test_bootstrap_does_not_depend_on_how_many_are_drawn_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.arange(50.0)
    whole = bootstrap_means(values, 40, np.random.default_rng(1))
    monkeypatch.setattr("ecqg.evaluation.bootstrap.AT_ONCE", 120)
    np.testing.assert_array_equal(whole, bootstrap_means(values, 40, np.random.default_rng(1)))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("id,rank\n", ":1:"),
        (f"{','.join(HEADER)}\np,0,9,1,1,1,1\n", ":2:"),
        (f"{','.join(HEADER)}\np,0,9,1,one,1,1,1\n", ":2:"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, where: str) -> None:
    path = tmp_path / "dpr.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"dpr\.csv{where}.*ecqg attention"):
        read_per_passage(path)


def test_other_passages_cannot_be_paired(tmp_path: Path) -> None:
    values = [(1.0, 1.0, 1.0)] * 3
    files = {"a": write(tmp_path / "a", values), "b": write(tmp_path / "b", values, first=1)}
    with pytest.raises(InputError, match="other passages"):
        paired_attention_tests(files, [("a", "b")], **OPTIONS)
    with pytest.raises(InputError, match="no such file"):
        paired_attention_tests({"a": tmp_path / "none"}, [], **OPTIONS)
