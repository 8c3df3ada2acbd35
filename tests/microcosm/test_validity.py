from __future__ import annotations

from itertools import pairwise

import pytest

from ecqg.microcosm.testsets import Drawer, Question
from ecqg.microcosm.validity import Judge, Verdict, words
from ecqg.microcosm.world import World


@pytest.fixture(scope="module")
def drawer() -> Drawer:
    return Drawer(World(3, 1500, ["person", "company", "settlement", "novel", "battle"]), 3)


def drawn(drawer: Drawer, register: str) -> list[Question]:
    return drawer.by_sentence(register, 150, None, register, set())


@pytest.mark.parametrize("register", ["train", "held", "train_about"])
def test_the_worlds_own_questions_are_valid_and_right(drawer: Drawer, register: str) -> None:
    judge = Judge(drawer.world)
    verdicts = [
        judge.verdict(one.ask.article.index, one.text, one.ask.answer)
        for one in drawn(drawer, register)
    ]
    assert sum(v.right for v in verdicts) >= 0.97 * len(verdicts)


def test_a_question_on_another_passage_is_not_valid(drawer: Drawer) -> None:
    judge, asked = Judge(drawer.world), drawn(drawer, "train")
    for one, other in pairwise(asked):
        if one.ask.article.title != other.ask.article.title:
            assert not judge.verdict(other.ask.article.index, one.text, one.ask.answer).valid


def test_a_wrong_answer_and_a_wrong_name_are_told_apart(drawer: Drawer) -> None:
    judge = Judge(drawer.world)
    one = next(one for one in drawn(drawer, "train") if one.ask.article.title.lower() in one.text)
    index = one.ask.article.index
    assert judge.verdict(index, one.text, "nobody at all") == Verdict(True, False)
    renamed = one.text.replace(one.ask.article.title.lower(), "zzyzx")
    assert judge.verdict(index, renamed, one.ask.answer) == Verdict(False, False)
    assert judge.verdict(index, "", "") == Verdict(False, False)


def test_words_ignore_case_order_and_an() -> None:
    assert words("An apple, an APPLE") == words("apple a")
