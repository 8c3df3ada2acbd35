"""Coverage of questions, by hand."""

from __future__ import annotations

import pytest

from ecqg.analysis.coverage import answering_rows, judged_rows, mean_coverage
from ecqg.corpus.passages import Passage
from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking
from small_passages import make_passages

BRIDGE, IT = make_passages(("Bridge of Wend", "Ada Holt built it in 1852."), ("It", "Who?"))


def test_words_and_content_words_by_hand() -> None:
    # who, built, the, bridge, of, wend: built, bridge, of, wend; of built, bridge, wend all
    one = mean_coverage([("Who built the bridge of Wend, the bridge?", [BRIDGE])])
    assert one["words"] == pytest.approx(100 * 4 / 6)
    assert one["content_words"] == 100
    # who, is, it: it; no content words
    asked = ["Who built the bridge of Wend", "who is it"]
    both = mean_coverage([*((question, [BRIDGE]) for question in asked), ("without", [])])
    assert both == {
        "questions": 2,
        "words": pytest.approx(100 * (4 / 6 + 1 / 3) / 2),
        "content_words": 100,
    }
    assert mean_coverage([]) == {"questions": 0, "words": None, "content_words": None}


def test_the_first_retrieved_passage_with_an_answer_stands_for_the_gold_one() -> None:
    texts = ["Ada Holt.", "In 1852.", "Ada Holt in 1852.", "Nothing."]
    passages = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(texts)]
    rows = {p.id: p.row for p in passages}
    questions = [
        Question("0", "who", ("ada holt", "wend")),
        Question("1", "when", ("1852",)),
        Question("2", "what", ("the mill",)),
        Question("3", "where", ("wend",)),
    ]
    rankings = [
        Ranking("1", ("p3", "p0", "p1", "p2"), (4.0, 3.0, 2.0, 1.0)),
        Ranking("0", ("p1", "p2", "p0"), (3.0, 2.0, 1.0)),
        Ranking("2", ("p1",), (1.0,)),
    ]  # and none for question 3
    found = answering_rows(questions, rankings, AnswerMatcher(passages), rows)
    assert found == [[2], [1], [], []]


def test_judged_passages() -> None:
    questions = [Question(str(i), "who is it", ("x",)) for i in range(3)]
    qrels = {"0": {"b": 1, "a": 2, "c": 0}, "2": {"c": 1}}
    assert judged_rows(questions, qrels, {"a": 0, "b": 1, "c": 2}) == [[1, 0], [], [2]]
    # it, of who, is, it, in the one; who and it in the other: (1 / 3 + 2 / 3) / 2
    found = mean_coverage([("who is it", [BRIDGE, IT])])
    assert found["words"] == pytest.approx(50)
