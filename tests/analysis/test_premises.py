"""Figures of the premises by hand, and what the table says of them."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ecqg.analysis import premises
from ecqg.analysis.premises import Figure, smallest_difference
from ecqg.synthesis.filter import STEPS


def outcomes(wins: int, losses: int, both: int) -> tuple[np.ndarray, np.ndarray]:
    """Of two systems: questions that only the first answers, only the second, or both do."""
    a = [True] * wins + [False] * losses + [True] * both
    b = [False] * wins + [True] * losses + [True] * both
    return np.array(a), np.array(b)


def row(figure: Figure) -> dict[str, object]:
    (cells,) = premises.rows([figure])
    return dict(zip(premises.HEADER, cells, strict=True))


@pytest.mark.parametrize(
    ("here", "met"), [(0.74, "no"), (0.75, "yes"), (0.88, "yes"), (0.881, "no"), (None, None)]
)
def test_a_range_holds_its_bounds(here: float | None, met: str | None) -> None:
    found = row(Figure("attention entropy", here))
    assert (found["low"], found["high"], found["met"]) == ("0.75", "0.88", met)
    assert found["here"] == (None if here is None else str(here))


def test_one_bound_and_none() -> None:
    assert row(Figure("gold coverage", 10.5))["met"] == "no"
    assert row(Figure("gold coverage", 9.5))["met"] == "yes"
    assert row(Figure("synthetic to gold", 1.9, "uncon"))["met"] == "no"
    assert row(Figure("right answers", 20.0, "conditioned"))["met"] is None
    assert row(Figure("valid after filters", 61.0, "a", 61.5))["met"] == "no"
    assert row(Figure("valid after filters", 61.5, "a", 61.5))["met"] == "yes"
    assert row(Figure("valid after filters", 59.5, "a", 50.0))["met"] == "no"
    assert row(Figure("valid after filters", 60.0, "a"))["met"] == "yes"


def test_rows_stand_in_the_order_of_the_file() -> None:
    figures = [Figure("test questions", 5, "b"), Figure("test questions", 9, "a")]
    found = list(premises.rows([*figures, Figure("gold coverage", 5)]))
    assert [of[:2] for of in found] == [
        ["gold coverage", ""],
        ["test questions", "b"],
        ["test questions", "a"],
    ]
    with pytest.raises(ValueError, match="unheard of"):
        list(premises.rows([Figure("unheard of", 1)]))


def test_every_figure_that_was_published_has_its_source() -> None:
    for name, known in premises.premises().items():
        assert {"unit"} <= {*known} <= {"unit", "published", "source", "low", "high"}, name
        assert ("published" in known) == ("source" in known), name
        assert known.get("low", -np.inf) < known.get("high", np.inf), name


def test_the_same_questions_are_judged_after_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(premises, "JUDGED", 2)
    steps = {"generated": "abcde", "reader": "bde", "hard": "c"}
    found = premises.sampled(steps, "dxaceb")
    assert found == {"generated": ["d", "a"], "reader": ["d", "e"], "hard": ["c"]}


def test_shares_of_verdicts() -> None:
    verdicts = [(True, True), (True, False), (False, False), (True, True)]
    assert premises.shares(iter(verdicts)) == (75.0, 50.0)
    assert premises.shares([]) == (None, None)


def test_no_fewer_may_be_valid_after_a_filter() -> None:
    shares = {"generated": (50.0, 20.0), "reader": (60.0, 30.0), "hard": (40.0, 25.0)}
    found = list(premises.of_questions("late", shares, about_entities=True))
    assert found == [
        Figure("valid about entities", 50.0, "late"),
        Figure("right answers", 20.0, "late"),
        Figure("valid after filters", 60.0, "late after reader", 50.0),
        Figure("right answers", 30.0, "late after reader"),
        Figure("valid after filters", 40.0, "late after hard", 50.0),
        Figure("right answers", 25.0, "late after hard"),
    ]
    others = premises.of_questions("any", {"generated": (50.0, 20.0)}, about_entities=False)
    assert list(others) == [
        Figure("valid, others", 50.0, "any"),
        Figure("right answers", 20.0, "any"),
    ]
    assert STEPS[0] == premises.GENERATED


def test_a_difference_is_in_points() -> None:
    assert premises.difference(*outcomes(3, 1, 4)) == pytest.approx(25.0)
    assert premises.percent(1, 8) == 12.5
    assert premises.percent(0, 0) is None


def test_the_smallest_difference_by_hand() -> None:
    # 2,000 questions, 400 of them answered by one alone: d = 0.2. Connor's sample size for the
    # difference must be those 2,000; 1.959964 and 0.841621 are the normal quantiles.
    found = smallest_difference(*outcomes(190, 210, 1600))
    assert found is not None
    delta = found / 100
    needed = ((1.959964 * sqrt(0.2) + 0.841621 * sqrt(0.2 - delta**2)) / delta) ** 2
    assert needed == pytest.approx(2000, rel=1e-5)
    assert found == pytest.approx(2.80, abs=0.01)  # about 2.8 standard errors of 1.0 points
    assert smallest_difference(*outcomes(10, 10, 980), power=0.5) < found


def test_the_smallest_difference_is_found_four_times_in_five() -> None:
    n, d = 600, 0.25
    found = smallest_difference(*outcomes(75, 75, 450))
    assert found is not None
    delta = found / 100
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(n, [(d + delta) / 2, (d - delta) / 2, 1 - d], 20_000)
    statistic = (drawn[:, 0] - drawn[:, 1]) / np.sqrt(drawn[:, 0] + drawn[:, 1])
    assert (np.abs(statistic) > 1.959964).mean() == pytest.approx(0.8, abs=0.015)


def test_what_no_difference_could_show() -> None:
    assert smallest_difference(*outcomes(0, 0, 500)) is None
    assert smallest_difference(*outcomes(1, 1, 98)) is None  # not even two on one side
    assert smallest_difference(*outcomes(1, 1, 0)) is None
