from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ecqg.corpus.reading import Answer, ReadingExample, read_reading, write_reading
from ecqg.errors import InputError

CONTEXT = "The V&A was founded in 1852. It is in London."
QA: dict[str, Any] = {
    "id": "1",
    "question": "when was it founded?",
    "answers": [{"text": "1852", "answer_start": 23}],
}


def squad(*qas: dict[str, Any], context: str = CONTEXT) -> str:
    return json.dumps(
        {"data": [{"title": "V&A", "paragraphs": [{"context": context, "qas": list(qas)}]}]}
    )


def test_reads_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "squad.json"
    impossible = {
        "id": 2,
        "question": "who?",
        "is_impossible": True,
        "answers": [],
        "plausible_answers": [{"text": "V&A", "answer_start": 4}],
    }
    path.write_text(squad(QA, impossible))
    assert read_reading(path) == [
        ReadingExample("1", "when was it founded?", "V&A", CONTEXT, (Answer("1852", 23),)),
        ReadingExample("2", "who?", "V&A", CONTEXT, ()),
    ]


def test_round_trip_keeps_the_order(tmp_path: Path) -> None:
    path = tmp_path / "squad.json"
    examples = [
        ReadingExample("a", "q1?", "T", "Some text.", (Answer("Some", 0), Answer("text", 5))),
        ReadingExample("b", "q2?", "T", "Some text.", ()),
        ReadingExample("c", "q3?", "T", "Other.", (Answer("Other", 0),)),
        ReadingExample("d", "q4?", "", "Other.", ()),
        ReadingExample("e", "q5?", "T", "Some text.", ()),
    ]
    write_reading(path, examples)
    assert read_reading(path) == examples
    data = json.loads(path.read_text())
    assert data["version"] == "v2.0"
    assert [len(a["paragraphs"]) for a in data["data"]] == [2, 1, 1]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "not SQuAD JSON"),
        ('{"data": [1]}', "not SQuAD JSON"),
        ('{"data": [{"paragraphs": [{"qas": [{}]}]}]}', "not SQuAD JSON"),
        (squad({"id": "1", "question": "q?"}), "question 1 has no answers"),
        (squad(QA | {"answers": []}), "question 1 has no answers"),
        (squad(QA | {"question": " "}), "question 1 is empty"),
        (squad(QA, QA), "the question id 1 stands twice"),
        (squad(QA | {"answers": [{"text": "1852", "answer_start": 22}]}), "'1852' is not at 22"),
        (squad(QA | {"answers": [{"text": "", "answer_start": 0}]}), "'' is not at 0"),
        (squad(QA | {"answers": [{"text": "n.", "answer_start": -2}]}), "'n.' is not at -2"),
        (squad(QA | {"answers": [{"text": "1852", "answer_start": "x"}]}), "not SQuAD JSON"),
    ],
)
def test_each_complaint_names_the_file(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "squad.json"
    path.write_text(content)
    with pytest.raises(InputError, match="; ") as caught:
        read_reading(path)
    assert str(caught.value).startswith(str(path))
    assert complaint in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_reading(tmp_path / "squad.json")
