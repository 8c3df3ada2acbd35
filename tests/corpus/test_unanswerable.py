from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.reading import Answer, ReadingExample
from ecqg.corpus.reading_set import with_unanswerable


def example(number: int, title: str, context: str, answer: str | None) -> ReadingExample:
    answers = () if answer is None else (Answer(answer, context.index(answer)),)
    return ReadingExample(f"q{number}", f"Question {number}?", title, context, answers)


ARTICLES = [
    example(0, "Ann", "Ann was born in Rome.", "Rome"),
    example(1, "Ann", "Ann died in Paris, not in Rome.", "Paris"),
    example(2, "Bob", "Bob lives alone.", "Bob"),
    example(3, "Bob", "Nobody knows him.", None),
    example(4, "", "Untitled and wide.", "wide"),
]


def test_a_question_goes_to_a_sibling_context_without_its_answer() -> None:
    for seed in range(20):
        added = with_unanswerable(ARTICLES, 0.5, Random(seed))[len(ARTICLES) :]
        where = {a.id: a.context for a in added}
        assert all(not a.answers for a in added)
        # Rome stands in both contexts about Ann, so question 0 can go nowhere.
        assert "q0-elsewhere" not in where
        assert where.get("q1-elsewhere", ARTICLES[0].context) == ARTICLES[0].context
        assert where.get("q2-elsewhere", ARTICLES[3].context) == ARTICLES[3].context
        assert where.get("q4-elsewhere") != ARTICLES[4].context


def test_enough_unanswerable_questions_change_nothing() -> None:
    assert with_unanswerable(ARTICLES, 0.0, Random(1)) == ARTICLES
    assert with_unanswerable(ARTICLES, 0.2, Random(1)) == ARTICLES
    assert with_unanswerable([], 0.5, Random(1)) == []


@given(st.integers(2, 60), st.integers(0, 10), st.floats(0.0, 0.5), st.integers())
def test_the_share_is_met_and_nothing_is_lost(
    answerable: int, unanswerable: int, share: float, seed: int
) -> None:
    given_ones = [
        example(i, "T", f"Context {i} with answer{i}.", f"answer{i}") for i in range(answerable)
    ]
    given_ones += [example(answerable + i, "T", f"Empty {i}.", None) for i in range(unanswerable)]
    made = with_unanswerable(given_ones, share, Random(seed))
    assert made[: len(given_ones)] == given_ones
    assert len({e.id for e in made}) == len(made)
    found = sum(not e.answers for e in made)
    assert found >= share * len(made) - 1e-9 or found == answerable + unanswerable
    if len(made) > len(given_ones):  # and no more than needed
        assert found - 1 < share * (len(made) - 1) + 1e-9


def test_draws_follow_the_seed() -> None:
    a, b = (with_unanswerable(ARTICLES, 0.5, Random(7)) for _ in range(2))
    assert a == b


@pytest.mark.parametrize("share", [0.9])
def test_a_share_beyond_reach_uses_every_question_once(share: float) -> None:
    questions = [example(i, "T", f"Context {i} with answer{i}.", f"answer{i}") for i in range(5)]
    made = with_unanswerable(questions, share, Random(0))
    assert sum(not e.answers for e in made) == 5
