"""Readers of public question files, on small files in their formats."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ecqg.corpus.formats.importer import whole_annotations
from ecqg.corpus.formats.questions import (
    Entities,
    read_bioasq,
    read_dpr_qa,
    read_entities,
    read_nq_open,
    read_trivia_qa,
    read_web_questions,
    read_wiki_movies,
    split_answers,
)
from ecqg.errors import InputError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def rows(questions: Any) -> list[tuple[str, list[str]]]:
    return [(question.text, list(question.answers)) for question in questions]


# --- Natural Questions


def test_nq_open(tmp_path: Path) -> None:
    lines = [
        {"question": "when did the eagles  win", "answer": ["2017", "the 2017 season", "2017"]},
        {"question": "wer schrieb „Faust“", "answer": ["Goethe", " "]},
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    expected = [
        ("when did the eagles win", ["2017", "the 2017 season"]),
        ("wer schrieb „Faust“", ["Goethe"]),
    ]
    path = write(tmp_path / "NQ-open.dev.jsonl", text)
    assert rows(read_nq_open(path)) == expected
    packed = tmp_path / "NQ-open.dev.jsonl.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert rows(read_nq_open(packed)) == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "who"', "not JSON"),
        ("[]", "the record: expected object, got array"),
        ('{"question": "who", "answer": "Ada"}', "expected array, got str at answer"),
        ('{"question": "who", "answer": []}', "the record has no answer"),
        ('{"question": "who", "answer": [3]}', r"expected str, got int at answer\[0\]"),
        ('{"answer": ["Ada"]}', "the record: no 'question'"),
    ],
)
def test_malformed_nq_open_names_the_line(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "nq.jsonl", '{"question": "who", "answer": ["Ada"]}\n' + line + "\n")
    with pytest.raises(InputError, match=rf"nq\.jsonl:2: .*{message}"):
        list(read_nq_open(path))


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"question": "who", "answer": ["Ada"]}\n' * 1000)
    for data in (whole[:-20], b"no gzip at all"):
        (tmp_path / "nq.jsonl.gz").write_bytes(data)
        with pytest.raises(InputError, match=r"nq\.jsonl\.gz: not a whole gzip file"):
            list(read_nq_open(tmp_path / "nq.jsonl.gz"))


def test_dpr_question_files_in_all_layers_of_quotes(tmp_path: Path) -> None:
    lines = [
        "who got the first nobel prize\t['Wilhelm Conrad Röntgen']",
        "what is O'Hara's name\t[\"Scarlett O'Hara\", 'Katie']",
        'which musical\t"[""Sunset Blvd"", ""Sunset Boulevard""]"',
        'which song\t"""[""""Say \\""""Yes\\"""""""", """"No""""]"""',
    ]
    path = write(tmp_path / "test.qa.csv", "\n".join(lines) + "\n")
    assert rows(read_dpr_qa(path)) == [
        ("who got the first nobel prize", ["Wilhelm Conrad Röntgen"]),
        ("what is O'Hara's name", ["Scarlett O'Hara", "Katie"]),
        ("which musical", ["Sunset Blvd", "Sunset Boulevard"]),
        ("which song", ['Say "Yes"', "No"]),
    ]


@pytest.mark.parametrize("line", ["who", "who\t", "who\tAda", "who\t['Ada'", "who\t['A']\t['B']"])
def test_malformed_dpr_questions_name_the_line(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "test.qa.csv", f"who\t['Ada']\n{line}\n")
    with pytest.raises(InputError, match=r"test\.qa\.csv:2: no question, tab and list"):
        list(read_dpr_qa(path))


# --- Lewis et al.


def annotated(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_annotations_are_taken_as_they_are(tmp_path: Path) -> None:
    records = [
        {"id": 1, "labels": ["total", "answer_overlap", "question_overlap"]},
        {"id": 0, "labels": ["total", "no_answer_overlap", "no_question_overlap"]},
    ]
    path = write(tmp_path / "nq-annotations.jsonl", annotated(*records))
    assert whole_annotations(path, 2) == records


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"id": 0, "labels": []}], r"jsonl: 1 annotations for 2 questions"),
        ([{"id": 0, "labels": []}, {"id": 0, "labels": []}], r"jsonl:2: the id 0, among 2"),
        ([{"id": 2, "labels": []}], r"jsonl:1: the id 2, among 2 questions"),
        ([{"id": "0", "labels": []}], r"jsonl:1: the record: expected int, got str at id"),
        ([{"id": True, "labels": []}], r"jsonl:1: .*int, got bool at id"),
        (
            [{"id": 0, "labels": ["no overlap"]}],
            r"jsonl:1: .*'no overlap' at labels\[0\]; write .* total",
        ),
        ([{"id": 0}], r"jsonl:1: the record: no 'labels'"),
    ],
)
def test_annotations_of_another_test_set_are_refused(
    tmp_path: Path, records: list[Any], message: str
) -> None:
    path = write(tmp_path / "annotations.jsonl", annotated(*records))
    with pytest.raises(InputError, match=message):
        whole_annotations(path, 2)


# --- WebQuestions


def test_web_questions(tmp_path: Path) -> None:
    path = write(
        tmp_path / "webquestions.examples.test.json",
        r"""[
{"url": "http://www.freebase.com/view/en/justin_bieber",
 "targetValue": "(list (description \"Jazmyn Bieber\") (description \"Jaxon Bieber\"))",
 "utterance": "what is the name of justin bieber brother?"},
{"url": "http://x",
 "targetValue": "(list (description 1881) (description Judaism) (description \"Who (band)\"))",
 "utterance": "q2?"},
{"url": "http://x", "targetValue": "(list (description \"Say \\\"Yes\\\"\"))", "utterance": "q3?"},
{"url": "http://x",
 "targetValue": "(list (description \"Pinocchio (\"Do You?\"): Theme\") (description \"Help\"))",
 "utterance": "what does ringo sing?"}]
""",
    )
    assert rows(read_web_questions(path)) == [
        ("what is the name of justin bieber brother?", ["Jazmyn Bieber", "Jaxon Bieber"]),
        ("q2?", ["1881", "Judaism", "Who (band)"]),
        ("q3?", ['Say "Yes"']),
        ("what does ringo sing?", ['Pinocchio ("Do You?"): Theme', "Help"]),
    ]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('{"targetValue": "(list)", "utterance": "q"}', "record 0 has no answer"),
        ('{"targetValue": "(list (name x))", "utterance": "q"}', "no list of descriptions"),
        ('{"targetValue": "(list (description \\"x))", "utterance": "q"}', "no list of desc"),
        ('{"targetValue": "(list (description x))"}', "record 0: no 'utterance'"),
        ('"x"', "record 0: expected object, got str"),
        ("{", "the JSON array is cut short|not JSON"),
    ],
)
def test_malformed_web_questions(tmp_path: Path, record: str, message: str) -> None:
    path = write(tmp_path / "web.json", f"[\n{record}")
    with pytest.raises(InputError, match=rf"web\.json:\d: .*({message})"):
        list(read_web_questions(path))


# --- TriviaQA


def trivia(*data: Any) -> str:
    head = {"Domain": "unfiltered-web", "Nested": {"Data": [1]}, "Split": "dev", "Version": 1.0}
    return json.dumps({**head, "Data": list(data), "VerifiedEval": False}, indent=1)


def test_trivia_qa_is_found_inside_its_object(tmp_path: Path) -> None:
    first = {
        "Answer": {
            "Aliases": ["Sunset Blvd", "Sunset Boulevard"],
            "NormalizedAliases": ["sunset blvd", "sunset boulevard"],
            "Type": "WikipediaEntity",
            "Value": "Sunset Boulevard",
        },
        "Question": "Which musical?",
        "QuestionId": "tc_33",
        "SearchResults": [{"Title": "x" * 200_000}],
    }
    second = {"Answer": {"Aliases": [], "Value": "42"}, "Question": "How many?"}
    path = write(tmp_path / "dev.json", trivia(first, second))
    assert rows(read_trivia_qa(path)) == [
        ("Which musical?", ["Sunset Blvd", "Sunset Boulevard"]),
        ("How many?", ["42"]),
    ]


def test_malformed_trivia_qa(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    for text, message in (
        (trivia({"Question": "q", "QuestionId": "tc_1"}), "question tc_1 has no answer; take a fi"),
        (trivia({"Question": "q", "Answer": []}), "record 0: expected object, got array at Answer"),
        (trivia({"Question": "q", "Answer": {"Aliases": "x"}}), "array, got str at Answer.Aliases"),
        ('{"Domain": "web"}', "no array 'Data'"),
        ("{}", "no array 'Data'"),
        ("[]", r"'\[' where \{ belongs"),
        ('{"Data" [', r"'\[' where : belongs"),
        ('{"Data": [{"Question"', "cut short"),
    ):
        write(path, text)
        with pytest.raises(InputError, match=rf"t\.json:\d+: .*{message}"):
            list(read_trivia_qa(path))


# --- WikiMovies


def test_wiki_movies(tmp_path: Path) -> None:
    path = write(
        tmp_path / "wiki-entities_qa_test.txt",
        "1 what does Grégoire Colin appear in?\tBefore the Rain\n"
        "1 what films did Anna Thomson star in?\tBad Boys, Me, Myself & Irene, Fiona\n",
    )
    pieces = ["Bad Boys", "Me", "Myself & Irene", "Fiona"]
    whole = ["Bad Boys", "Me, Myself & Irene", "Fiona"]
    assert rows(read_wiki_movies(path)) == [
        ("what does Grégoire Colin appear in?", ["Before the Rain"]),
        ("what films did Anna Thomson star in?", pieces),
    ]
    entities = read_entities(write(tmp_path / "entities.txt", "Me\nMe, Myself & Irene\nFiona\n"))
    assert rows(read_wiki_movies(path, entities))[1][1] == whole
    assert split_answers("a, b, c, d", Entities(["a, b", "a, b, c", "c, d"])) == ["a, b, c", "d"]


@pytest.mark.parametrize("line", ["what?\tX", "1 what?", "1 what? X", "", "1 \tX", "1 what?\t, "])
def test_malformed_wiki_movies(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "qa.txt", f"1 who?\tX\n{line}\n")
    with pytest.raises(InputError, match=r"qa\.txt:2: "):
        list(read_wiki_movies(path))


# --- BioASQ


def test_bioasq_factoids_of_several_files(tmp_path: Path) -> None:
    training = {
        "questions": [
            {
                "id": "1",
                "type": "factoid",
                "body": "Which receptor is inhibited by bimagrumab?",
                "exact_answer": [["activin type II receptors", "ActRII"]],
                "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/1"],
                "snippets": [{"text": "x"}],
            },
            {"id": "2", "type": "yesno", "body": "Is it?", "exact_answer": "yes"},
            {"id": "3", "type": "factoid", "body": "Which gene?", "exact_answer": ["A", "B"]},
            {"id": "4", "type": "list", "body": "List.", "exact_answer": [["A"], ["B"]]},
        ]
    }
    test = {
        "questions": [
            {"id": "3", "type": "factoid", "body": "Which gene?", "exact_answer": ["A"]},
            {"id": "5", "type": "factoid", "body": "Which drug?", "exact_answer": "Valproate"},
        ]
    }
    paths = [
        write(tmp_path / "training8b.json", json.dumps(training)),
        write(tmp_path / "8B1_golden.json", json.dumps(test)),
    ]
    assert rows(read_bioasq(paths)) == [
        ("Which receptor is inhibited by bimagrumab?", ["activin type II receptors", "ActRII"]),
        ("Which gene?", ["A", "B"]),
        ("Which drug?", ["Valproate"]),
    ]


def test_bioasq_factoids_without_an_answer_come_last_and_once(tmp_path: Path) -> None:
    def file(name: str, *answers: tuple[str, Any]) -> Path:
        records = [
            {"id": key, "type": "factoid", "body": f"q{key}", "exact_answer": answer}
            for key, answer in answers
        ]
        return write(tmp_path / name, json.dumps({"questions": records}))

    paths = [
        file("a.json", ("1", []), ("2", [None]), ("3", ["A"]), ("4", " "), ("5", None)),
        file("b.json", ("1", ["B"]), ("2", [[]]), ("3", [])),
    ]
    found = [("q3", ["A"]), ("q1", ["B"]), ("q2", []), ("q4", []), ("q5", [])]
    assert rows(read_bioasq(paths)) == found


def test_malformed_bioasq(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    for question, message in (
        ({"id": "7", "type": "factoid", "exact_answer": ["x"]}, "question 7 has no question"),
        (
            {"id": "7", "type": "factoid", "body": "q", "exact_answer": [1]},
            r"record 0: .* got int at exact_answer\[0\]",
        ),
        ({"id": "7", "body": "q", "exact_answer": ["x"]}, "record 0 has no type"),
        (["x"], "record 0: expected object, got array"),
    ):
        write(path, json.dumps({"questions": [question]}))
        with pytest.raises(InputError, match=rf"b\.json:1: {message}"):
            list(read_bioasq([path]))
