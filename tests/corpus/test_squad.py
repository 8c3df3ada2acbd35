from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ecqg.corpus.folder import read_split, read_test_set
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.questions import read_questions
from ecqg.corpus.reading import read_reading
from ecqg.corpus.squad import CHECKSUMS, MIRROR, download_squad, examples_of, read_paragraphs
from ecqg.errors import InputError

WORDS = [f"word{i}" for i in range(130)]
LONG = " ".join(WORDS)  # cut after word 65
BRIDGE = "The Arn bridge\nwas finished in 1852 by Ada Holt."
TOWER = " The tower is in Wend. "


def qa(name: str, question: str, text: str, context: str, **more: Any) -> dict[str, Any]:
    answers = [{"text": text, "answer_start": context.index(text)}] if text else []
    return {"id": name, "question": question, "answers": answers, **more}


def impossible(name: str, question: str, text: str, context: str) -> dict[str, Any]:
    listed = qa(name, question, text, context)
    return listed | {"answers": [], "plausible_answers": listed["answers"], "is_impossible": True}


def article(title: str, *paragraphs: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {"title": title, "paragraphs": [{"context": c, "qas": q} for c, q in paragraphs]}


TRAIN = [
    article(
        "Ada_Holt_%28engineer%29",
        (
            LONG,
            [
                qa("t1", "first?", "word3 word4", LONG, is_impossible=False),
                qa("t2", "second \n block?", "word70", LONG, is_impossible=False),
                qa("t3", "across?", "word64 word65 word66", LONG, is_impossible=False),
                impossible("t4", "not this?", "word100", LONG),
                impossible("t5", "nor this?", "", LONG),
            ],
        ),
    )
]
# By the parity of their titles' digests "Rivers" goes to dev and "Bridges" to test.
DEV = [
    article(
        "Bridges",
        (
            BRIDGE,
            [
                qa("d1", "when?", "1852", BRIDGE),
                qa("d2", "when?", "1852", BRIDGE),
                qa("d3", "which?", "Arn bridge\nwas", BRIDGE),
            ],
        ),
    ),
    article("Rivers", (TOWER, [qa("d4", "where?", "Wend", TOWER)])),
]
DEV_V2 = [
    article("Bridges", (BRIDGE.strip(), [impossible("u1", "why?", "Ada Holt", BRIDGE)])),
    article("Rivers", ("Another text.", [impossible("u2", "who?", "text", "Another text.")])),
]


@pytest.fixture
def official(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A mirror with small files; returns their checksums."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    checksums = {}
    for name, data in zip(CHECKSUMS, (TRAIN, DEV, DEV_V2), strict=True):
        body = json.dumps({"version": name, "data": data}).encode()
        (mirror / name).write_bytes(body)
        checksums[name] = hashlib.sha256(body).hexdigest()
    monkeypatch.setenv(MIRROR, mirror.as_uri() + "/")
    return checksums


def test_the_official_files_become_a_data_folder(official: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "squad"
    folder.mkdir()
    download_squad(folder, tmp_path / "kept", official)

    first, second = " ".join(WORDS[:65]), " ".join(WORDS[65:])
    assert [tuple(entry) for entry in read_passage_file(folder / "passages.tsv")] == [
        ("1", first, "Ada Holt (engineer)"),
        ("2", second, "Ada Holt (engineer)"),
        ("3", TOWER.strip(), "Rivers"),
        ("4", BRIDGE.replace("\n", " "), "Bridges"),
    ]
    train = {example.id: example for example in read_reading(folder / "squad-train.json")}
    assert list(train) == ["t1", "t2", "t3", "t4", "t5"]
    assert [train[i].context for i in ("t1", "t2", "t4", "t5")] == [first, second, second, first]
    assert train["t2"].question == "second block?"
    assert train["t3"].context == LONG
    assert [bool(example.answers) for example in train.values()] == [True] * 3 + [False] * 2

    sides = {s: [e.id for e in read_reading(folder / f"squad-{s}.json")] for s in ("dev", "test")}
    # u2 is left out: its paragraph is not in v1.1.
    assert sides == {"dev": ["d4"], "test": ["d1", "d2", "d3", "u1"]}
    questions = read_questions(folder / "test.qa.tsv")
    assert [(q.text, q.answers) for q in questions] == [
        ("when?", ("1852",)),
        ("which?", ("Arn bridge was",)),
    ]
    assert json.loads((folder / "meta.json").read_text())["passages"] == 4
    # What was written is a data folder.
    assert len(read_split(folder, "train").candidates) == 3
    assert len(read_test_set(folder, "test.qa.tsv").questions) == 2


def test_a_wrong_checksum_writes_nothing(official: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "squad"
    folder.mkdir()
    last = list(official)[-1]
    with pytest.raises(InputError, match=rf"{last} has the sha256"):
        download_squad(folder, tmp_path / "kept", official | {last: "f" * 64})
    assert list(folder.iterdir()) == []


def test_the_pinned_checksums_are_sha256() -> None:
    assert all(len(c) == 64 and int(c, 16) for c in CHECKSUMS.values())
    assert len(set(CHECKSUMS.values())) == 3


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"plausible_answers": None}, "expected array, got null at data"),
        ({"plausible_answers": [{"text": 5, "answer_start": 0}]}, "expected str, got int at data"),
        ({"plausible_answers": [{"text": "Ada"}]}, "no 'answer_start' at data"),
        ({"is_impossible": "no"}, "expected bool, got str at data"),
        ({"question": None}, "expected str, got null at data"),
    ],
)
def test_a_question_that_is_none_is_one_line(
    tmp_path: Path, fault: dict[str, Any], said: str
) -> None:
    question = impossible("u1", "why?", "Ada", BRIDGE) | fault
    (tmp_path / "a.json").write_text(json.dumps({"data": [article("A", (BRIDGE, [question]))]}))
    with pytest.raises(InputError, match=rf"a\.json: not SQuAD JSON \({said}.*\); mend"):
        read_paragraphs(tmp_path / "a.json")


def test_articles_need_no_title_but_contexts_text(tmp_path: Path) -> None:
    before = impossible("u1", "why?", "Ada", BRIDGE)
    before["plausible_answers"][0].update(text="Holt.", answer_start=-5)  # no place in the context
    untitled = article("", (BRIDGE, [before]))
    del untitled["title"]
    (tmp_path / "a.json").write_text(json.dumps({"data": [untitled]}))
    paragraphs = read_paragraphs(tmp_path / "a.json")
    assert paragraphs[0].title == ""
    assert [example.answers for example in examples_of(paragraphs)] == [()]
    blank = article("A_b", (BRIDGE, []), ("\n \t", [impossible("u1", "why?", "", "")]))
    (tmp_path / "a.json").write_text(json.dumps({"data": [blank]}))
    what = r"a\.json: the context of paragraph 2 of the article 'A b' is empty; write or remove it"
    with pytest.raises(InputError, match=what):
        read_paragraphs(tmp_path / "a.json")
