"""Top-k accuracy on rankings whose outcome is seen at a glance, and per-query files."""

from pathlib import Path

import numpy as np
import pytest

from ecqg.corpus.passages import Passage
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking
from ecqg.evaluation.topk import first_hits, hits, read_per_query, top_k_accuracy, write_per_query

PASSAGES = [
    Passage(0, "p0", "", "Ada was born in 1815.", (0,)),
    Passage(1, "p1", "", "Bo was born in 1816.", (0,)),
    Passage(2, "p2", "", "Cy was born in 1815 too.", (0,)),
]
QUESTIONS = [
    Question("0", "When was Ada born?", ("1815",)),
    Question("1", "When was Bo born?", ("1816", "eighteen sixteen")),
    Question("2", 'When, "exactly", was Di born?', ("1817",)),
    Question("3", "When was Cy born?", ("1815",)),
]


def first() -> np.ndarray:
    rankings = [
        Ranking("0", ("p1", "p2", "p0"), (3.0, 2.0, 1.0)),  # first answer at rank 2
        Ranking("1", ("p1",), (1.0,)),  # at rank 1
        Ranking("2", ("p0", "p1", "p2"), (3.0, 2.0, 1.0)),  # none
        Ranking("9", ("p0",), (1.0,)),  # not asked
    ]  # question 3 has no result
    rows = {passage.id: passage.row for passage in PASSAGES}
    return first_hits(QUESTIONS, rankings, AnswerMatcher(PASSAGES), rows)


def test_questions_without_results_are_failures() -> None:
    ranks = first()
    assert ranks.tolist() == [2, 1, 0, 0]
    assert hits(ranks, 1).tolist() == [False, True, False, False]
    assert [top_k_accuracy(ranks, k) for k in (1, 2, 100)] == [25.0, 50.0, 50.0]
    with pytest.raises(ValueError, match="no questions"):
        top_k_accuracy(ranks[:0], 1)


def test_per_query_files_come_back_as_written(tmp_path: Path) -> None:
    write_per_query(tmp_path / "q.csv", QUESTIONS, first())
    lines = (tmp_path / "q.csv").read_text().splitlines()
    assert lines[1] == "0,When was Ada born?,2"
    assert lines[3] == '2,"When, ""exactly"", was Di born?",0'
    again = read_per_query(tmp_path / "q.csv")
    assert again.ids == ("0", "1", "2", "3")
    assert again.questions == tuple(question.text for question in QUESTIONS)
    assert again.ranks.tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("id,rank\n", 1),
        ("id,question,rank\n0,x,1\n1,x,-1\n", 3),
        ("id,question,rank\n0,1\n", 2),
    ],
)
def test_a_malformed_per_query_file_is_refused(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "q.csv").write_text(text)
    with pytest.raises(InputError, match=rf"q\.csv:{line}: .*; remake it"):
        read_per_query(tmp_path / "q.csv")
