"""Filters on a handful of questions worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.params import Filter
from ecqg.synthesis import filter as filters
from ecqg.synthesis.filter import Candidate
from ecqg.synthesis.records import read_aligned

SETTINGS = Filter(0.5, False, False, hard_by="quantile", hard_cut=0.5)
BOTH = ("reader", "hard")


def candidate(
    name: str, confidence: float, score: float, sentence: int, same=True, beside: bool | None = None
) -> Candidate:
    return Candidate(name, same, beside, confidence, score, sentence)


CANDIDATES = [
    candidate("a", 0.9, 10.0, 0, beside=True),
    candidate("b", 0.5, 20.0, 0, same=False),
    candidate("c", 0.4, 1.0, 2),  # the reader is not sure
    candidate("d", 0.7, 30.0, 3, beside=False),
    candidate("e", 0.6, 15.0, 2, same=False),
]


def names(chosen: list[Candidate]) -> str:
    return "".join(c.id for c in chosen)


def steps(wanted: tuple[str, ...] = BOTH, **changes: object) -> dict[str, str]:
    kept = filters.apply(CANDIDATES, wanted, replace(SETTINGS, **changes))
    return {name: names(chosen) for name, chosen in kept.items()}


def test_reader_then_the_lower_half_of_what_it_passed() -> None:
    # the median of 10, 20, 30, 15 is 17.5; with c's 1 it would be 15, which drops nothing but b, d
    assert steps() == {"generated": "abcde", "reader": "abde", "hard": "ae"}


def test_the_generated_answer_may_be_required() -> None:
    # the median of 10 and 30 is 20
    assert steps(require_same_answer=True) == {"generated": "abcde", "reader": "ad", "hard": "a"}


def test_the_answers_sentence_may_have_to_name_the_entity() -> None:
    # d's does not; b and e are about none; the median of 10, 20 and 15 is 15
    assert steps(require_same_sentence=True) == {
        "generated": "abcde",
        "reader": "abe",
        "hard": "ae",
    }


def test_hard_by_value_keeps_its_value() -> None:
    assert steps(hard_by="value", hard_cut=20.0)["hard"] == "abe"
    assert steps(hard_by="none")["hard"] == "abde"


def test_only_the_filters_wanted_are_applied() -> None:
    assert steps(())["hard"] == "abcde"
    assert steps(("hard",)) == {"generated": "abcde", "reader": "abcde", "hard": "ace"}
    assert steps(("reader",)) == {"generated": "abcde", "reader": "abde", "hard": "abde"}
    assert steps(("hard", "reader")) == steps()  # the reader is always the first


def test_metrics_by_hand() -> None:
    got = filters.metrics(filters.apply(CANDIDATES, BOTH, SETTINGS))
    assert got == {
        "generated": 5,
        "after_reader": 4,
        "after_hard": 2,
        "kept": 40.0,
        "same_answer": {"generated": 60.0, "reader": 50.0, "hard": 50.0},
        "same_sentence": {"generated": 50.0, "reader": 50.0, "hard": 100.0},
        "mean_confidence": pytest.approx(0.62),
        "mean_score_after_reader": 18.75,
        "mean_score_after_hard": 12.5,
        "sentence": {
            "generated": {"1": 40.0, "2": 0.0, "3": 40.0, "4": 20.0},
            "reader": {"1": 50.0, "2": 0.0, "3": 25.0, "4": 25.0},
            "hard": {"1": 50.0, "2": 0.0, "3": 50.0},
        },
    }


def test_plot_by_hand(tmp_path: Path) -> None:
    filters.write_sentences(tmp_path / "plot.csv", filters.apply(CANDIDATES, BOTH, SETTINGS))
    rows = (tmp_path / "plot.csv").read_text().splitlines()
    assert rows[0] == "step,sentence,questions,percent"
    assert rows[1] == "generated,1,2,40.000000"
    assert rows[-1] == "hard,3,1,50.000000"


def test_nothing_generated_leaves_nothing() -> None:
    kept = filters.apply([], BOTH, SETTINGS)
    assert kept["hard"] == []
    assert filters.metrics(kept)["mean_score_after_hard"] is None


@given(
    # Between neighbouring floats no quantile lies, so that both would stay: hundredths.
    st.lists(st.integers(-10_000, 10_000), min_size=1, unique=True, max_size=60),
    st.floats(0, 1),
)
def test_a_quantile_keeps_that_share(hundredths: list[int], quantile: float) -> None:
    scores = [number / 100 for number in hundredths]
    pairs = [candidate(str(i), 1.0, score, 0) for i, score in enumerate(scores)]
    kept = filters.apply(pairs, ("hard",), replace(SETTINGS, hard_cut=quantile))["hard"]
    assert abs(len(kept) - quantile * len(scores)) <= 1
    assert max(c.score for c in kept) <= min(
        (c.score for c in pairs if c not in kept), default=float("inf")
    )


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_keeps_fewer(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert set(steps(reader_threshold=high)["reader"]) <= set(steps(reader_threshold=low)["reader"])


def test_rows_that_do_not_match_are_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    write_jsonl(one, [{"id": "a", "x": 1}, {"id": "b", "x": 2}])
    write_jsonl(other, [{"id": "a", "y": 2}, {"id": "c"}])
    rows = read_aligned({one: {"x": int}, other: {}})
    assert next(rows) == ({"id": "a", "x": 1}, {"id": "a", "y": 2})
    with pytest.raises(InputError, match=r"other.jsonl:2: question 'c' where 'b' belongs"):
        next(rows)
    write_jsonl(other, [{"id": "a"}])
    with pytest.raises(InputError, match=r"other.jsonl:2: question None where 'b' belongs"):
        list(read_aligned({one: {}, other: {}}))
