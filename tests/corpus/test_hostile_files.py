"""The smallest files that once ended in a traceback, hung, or lost something without a word."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ecqg.attention.per_passage import read_per_passage
from ecqg.checking import parse_yaml, read_yaml
from ecqg.corpus.collection import read_annotations as read_known
from ecqg.corpus.dpr_examples import read_dpr_examples
from ecqg.corpus.formats import importer
from ecqg.corpus.formats.questions import Entities, split_answers
from ecqg.corpus.lines import numbered_lines
from ecqg.corpus.overlap import read_annotations
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.qrels import judge, read_qrels
from ecqg.corpus.questions import read_questions, read_train_facts
from ecqg.corpus.reading import read_reading
from ecqg.corpus.records import read_array
from ecqg.errors import InputError
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.topk import read_per_query
from ecqg.files import read_json, read_jsonl
from ecqg.params import load_params
from ecqg.profiles import FOLDER
from ecqg.questions.generation import read_selected

DEEP = "[" * 100_000
LONG = "9" * 5000


def imported(form: str) -> Callable[[Path], Any]:
    readers: Any = importer.QUESTIONS | importer.PASSAGES
    told = {"encoding": "utf-8-sig"} if form in importer.ENCODED else {}
    return lambda path: list(readers[form]([path], **told))


def dpr(path: Path) -> Any:
    return list(read_dpr_examples(path))


def lines_of(path: Path) -> Any:
    return list(read_jsonl(path))


def known(path: Path) -> Any:
    return read_known(path.parent, ["x"])


def squad(**changed: Any) -> str:
    """A SQuAD file of one question, some members of it others."""
    qa = {"id": "1", "question": "q", "answers": [{"text": "c", "answer_start": 0}]} | changed
    return json.dumps({"data": [{"paragraphs": [{"context": "c", "qas": [qa]}]}]})


def dpr_json(**changed: Any) -> str:
    return json.dumps([{"question": "q", "answers": ["a"], "positive_ctxs": []} | changed])


CASES: list[tuple[Callable[[Path], Any], str, str | bytes, str]] = [
    (
        dpr,
        "a.json",
        '[{"question":"q","answers":[1852],"positive_ctxs":[]}]',
        r"str, got int at answers\[0\]",
    ),
    (dpr, "a.json", dpr_json(question=None), "expected str, got null at question"),
    (
        dpr,
        "a.json",
        dpr_json(positive_ctxs=[{"text": None}]),
        r"expected str, got null at positive_ctxs\[0\].text",
    ),
    (dpr, "a.json", dpr_json(positive_ctxs="x"), "expected array, got str at positive_ctxs"),
    (dpr, "a.json", dpr_json(positive_ctxs=[[]]), r"object, got array at positive_ctxs\[0\]"),
    (dpr, "a.json", dpr_json() + "\n" + dpr_json(), ":2: something follows the array"),
    (dpr, "a.json", dpr_json(question="\ud800"), "half a surrogate pair"),
    (dpr, "a.json", dpr_json(x=1).replace('"x"', '"question"'), "key 'question' stands twice"),
    (dpr, "a.json", DEEP, "nested too deeply"),
    (dpr, "a.json", f"[{LONG}]", "a number of too many digits"),
    (dpr, "a.json.gz", "[" + " " * 2**25 + "]", "decompresses to over 100 times its size"),
    (read_reading, "a.json", squad(question="\ud800"), "half a surrogate pair"),
    (read_reading, "a.json", squad(is_impossible="false"), "bool, got str at .*is_impossible"),
    (
        read_reading,
        "a.json",
        squad(answers=[{"text": "c", "answer_start": True}]),
        "int, got bool at .*start",
    ),
    (read_reading, "a.json", squad(question=None), r"str, got null at data\[0\].*question"),
    (read_reading, "a.json", '{"data": []}', "no questions"),
    (read_reading, "a.json", DEEP, "nested too deeply"),
    (read_reading, "a.json", f'{{"data": {LONG}}}', "a number of too many digits"),
    (read_reading, "a.json", b'{"data": "\xff"}', "not UTF-8"),
    (read_json, "a.json", DEEP, "nested too deeply"),
    (read_json, "a.json", '{"a": 1, "a": 2}', "the key 'a' stands twice"),
    (lines_of, "a.jsonl", DEEP, ":1: not a JSON object .nested too deeply"),
    (lines_of, "a.jsonl", f'{{"a": {LONG}}}', ":1: not a JSON object .a number of too many"),
    (lines_of, "a.jsonl", b'{"a": 1}\n{"a": "\xff"}\n', ":2: not a JSON object"),
    (
        lambda p: list(read_jsonl(p, {"a": int})),
        "a.jsonl",
        '{"a": true}',
        "expected int, got bool at a",
    ),
    (lambda p: list(read_jsonl(p, {"a": int})), "a.jsonl", "{}", "no 'a'"),
    (imported("nq-open"), "a.jsonl", '{"question": "\\ud800", "answer": ["a"]}', "surrogate"),
    (imported("nq-open"), "a.jsonl", DEEP, "nested too deeply"),
    (imported("nq-open"), "a.jsonl", f'{{"question": {LONG}}}', "too many digits"),
    (
        imported("triviaqa"),
        "a.json",
        '{"Data": [{"Question": "q", "Answer": {"Value": "\\udc00"}}]}',
        "half a surrogate pair",
    ),
    (imported("triviaqa"), "a.json", '{"Data": []} x', "something follows"),
    (imported("triviaqa"), "a.json", '{"Data": [], "Data": []}', "a second 'Data'"),
    (
        imported("bioasq"),
        "a.json",
        '{"questions": [{"type": "factoid", "body": "\\ud800", "exact_answer": ["a"]}]}',
        "half a surrogate pair",
    ),
    (
        imported("bioasq"),
        "a.json",
        '{"questions": [{"type": "factoid", "body": "q", "exact_answer": '
        + f"{'[' * 500}{']' * 500}}}]}}",
        r"got array at exact_answer\[0\]\[0\]\[0\]",
    ),
    (imported("pubmed"), "a.xml", "<?xml version='1.0' encoding='xyz'?><a/>", "not XML .unknown"),
    (imported("pubmed"), "a.xml", "<a>" * 200, "one in another"),
    (imported("pubmed"), "a.xml", "<a>" + " " * 2**23, "bytes without any"),
    (imported("dpr-passages"), "a.tsv.gz", b"\0" * 2**28, "a line of 16,777,216 bytes or"),
    (imported("dpr-passages"), "a.tsv", b"\0" * 2**25, "a line of 16,777,216 bytes or more"),
    (
        lambda p: importer.whole_annotations(p, 1),
        "a.jsonl",
        '{"id": 0, "labels": [["total"]]}',
        r":1: the record: expected str, got array at labels\[0\]",
    ),
    (
        lambda p: read_annotations(p, 1),
        "a.jsonl",
        '{"id": 0, "labels": [["total"]]}',
        r":1: the record: expected str, got array at labels\[0\]",
    ),
    (
        lambda p: read_annotations(p, 1),
        "a.jsonl",
        '{"id": 0, "labels": []}\n' * 2,
        ":2: the id 0, among 1 questions, or for the second time",
    ),
    (read_train_facts, "a.tsv", "q0\ta\nq0\tb\n", ":2: the id 'q0' for the second time"),
    (read_train_facts, "a.tsv", "q0\ta\nq1\tb", ":2: the last line has no end"),
    (read_qrels, "a.qrels", "0 0 p0 1\n1 0 p1 1", ":2: the last line has no end"),
    (read_qrels, "a.qrels", "", "no judgements"),
    (read_qrels, "a.qrels", f"0 0 p0 {LONG}\n", "not a judgement"),
    (read_qrels, "a.qrels", "0 0 p0 ٣\n", "not a judgement"),
    (known, "annotations.json", "{}", "no annotations of x"),
    (known, "annotations.json", '{"x": {"subsets": null}}', "by test set .no 'facts' at "),
    (
        known,
        "annotations.json",
        '{"x": {"subsets": [], "facts": null}}',
        r"no annotations by test set .expected object \| null, got array at .*subsets",
    ),
    (
        known,
        "annotations.json",
        '{"x": {"subsets": {"a": [0]}, "facts": null}}',
        "no annotations by test set .expected str, got int at .*subsets",
    ),
    (
        known,
        "annotations.json",
        '{"x": {"subsets": null, "facts": {"0": 1}}}',
        "no annotations by test set .expected str, got int at .*facts",
    ),
    (read_selected, "a.jsonl", "", "nothing is selected"),
    (
        read_selected,
        "a.jsonl",
        '{"row": 0}\n{"row": 0.5}',
        ":2: not a JSON object .expected int, got float at row",
    ),
    (read_selected, "a.jsonl", '{"row": 0, "entity": "x", "end": 2}', ":1: an entity without a pl"),
    (
        read_selected,
        "a.jsonl",
        '{"row": 0, "entity": "x", "start": 0, "end": true}',
        ":1: an entity without a place; make it again with 'dvc repro'",
    ),
    (lambda p: list(read_run(p)), "a.trec", "", "a run without results"),
    (lambda p: list(read_run(p)), "a.trec", b"0 Q0 \xff 1 1.0 t\n", ":1: not UTF-8"),
    (lambda p: list(read_run(p)), "a.trec", "0 Q0 p 1 1.0 t", "the last line has no end"),
    (read_per_query, "a.csv", b"id,question,rank\n0,\xff,1\n", ":2: not UTF-8"),
    (read_per_query, "a.csv", f"id,question,rank\n0,q,{LONG}\n", ":2: rank is"),
    (read_per_query, "a.csv", f"id,question,rank\n0,{'q' * 200_000},1\n", "no CSV .field larger"),
    (read_per_passage, "a.csv", b"\xff\n", "not UTF-8"),
    (read_questions, "a.tsv", "q\t['\\ud800']\n", "answers that are no list"),
    (read_yaml, "a.yaml", "a: \x07", "not YAML"),
    (read_yaml, "a.yaml", b"a: \xe9", ":1: not UTF-8"),
    (read_yaml, "a.yaml", "a: 2001-99-99", "not YAML .month"),
    (read_yaml, "a.yaml", "a: !!int abc", "not YAML .invalid literal"),
    (read_yaml, "a.yaml", "[" * 1000, "nested too deeply"),
    (read_yaml, "a.yaml", f"a: {LONG}", "not YAML .Exceeds"),
    (read_yaml, "a.yaml", "a: &a [x]\nb: *a", ":2: an alias; write out what it stands for"),
]


@pytest.mark.parametrize(  # contents are too long for names of tests
    ("read", "name", "content", "what"),
    CASES,
    ids=[f"{number}-{name}" for number, (_, name, _, _) in enumerate(CASES)],
)
def test_it_is_refused_with_one_line(
    tmp_path: Path, read: Callable[[Path], Any], name: str, content: str | bytes, what: str
) -> None:
    path = tmp_path / name
    raw = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(raw, 1) if name.endswith(".gz") else raw)
    with pytest.raises(InputError, match=what) as error:
        read(path)
    assert str(path) in str(error.value)
    assert str(error.value).isprintable()


def test_nested_aliases_do_not_hang() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60))]
    begun = time.monotonic()
    with pytest.raises(InputError, match="p:2: an alias"):
        parse_yaml("\n".join(lines), "p")
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("was", "becomes", "what"),
    [
        ("lr: 4e-4", "lr: .inf", "finetune.lr is inf; it must be"),
        ("hard_cut: 0.8", "hard_cut: .nan", "filter.hard_cut is nan; it must be"),
        ("hard_cut: 0.8", f"hard_cut: {'9' * 400}", "filter.hard_cut is 999"),
    ],
)
def test_parameters_are_finite(tmp_path: Path, was: str, becomes: str, what: str) -> None:
    text = (FOLDER / "microcosm.yaml").read_text()
    assert was in text
    (tmp_path / "params.yaml").write_text(text.replace(was, becomes))
    with pytest.raises(InputError, match=what):
        load_params(tmp_path / "params.yaml")


def test_a_fact_without_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test.qa.tsv").write_text('q\t["a"]\n')
    (tmp_path / "test.facts.tsv").write_text("key\n")
    (tmp_path / "facts.jsonl").write_text('{"passage_id": "p0"}\n')
    write_passages(tmp_path / "p.arrow", [Passage(0, "p0", "", "text", (0,))])
    with pytest.raises(InputError, match=r"facts\.jsonl:1: not a JSON object \(no 'key'\)"):
        judge(tmp_path, "test.qa.tsv", Passages(tmp_path / "p.arrow"))


LISTS = [[], [", ".join("ab" * 1500)], ["a, " * k + "x" for k in range(99)]]


@pytest.mark.parametrize("names", LISTS)
def test_many_commas_take_little_time(names: list[str]) -> None:
    text = ", ".join("ab" * 1500)
    entities = Entities(names)
    begun = time.monotonic()
    found = split_answers(text, entities)
    assert time.monotonic() - begun < 5
    assert ", ".join(found) == text
    assert len(found) == (1 if text in names else 3000)


def test_long_elements_are_read_in_time_and_too_long_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([["x" * 5_000_000], *([[1]] * 20_000), 12]))
    begun = time.monotonic()
    assert len(list(read_array(path))) == 20_002
    assert time.monotonic() - begun < 10
    path.write_text(json.dumps(["x" * 20_000_000]))
    with pytest.raises(InputError, match="an element of over 16,777,216 characters"):
        list(read_array(path))


def test_what_follows_the_array_in_an_object_is_passed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"n": 1, "Data": [1, 2], "Version": {"x": [3]}, "y": 1.0}\n')
    assert [value for _, value in read_array(path, "Data")] == [1, 2]
    path.write_text('{"Data": [1], "Version": }')
    with pytest.raises(InputError, match="not JSON"):
        list(read_array(path, "Data"))


@pytest.mark.slow
def test_text_that_is_compressed_well_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv.gz"
    lines = [f"p{i}\tsome words that stand in every passage {i}\t\n" for i in range(200_000)]
    path.write_bytes(gzip.compress(("id\ttext\ttitle\n" + "".join(lines)).encode()))
    assert sum(1 for _ in read_passage_file(path)) == 200_000
    assert sum(1 for _ in numbered_lines(path)) == 200_001


def test_what_would_steer_a_terminal_is_shown() -> None:
    error = InputError("the id '\x1b[31m\u202e\x9b\ud800'", file="a\x07.tsv", remedy="x" * 5000)
    assert str(error).startswith(r"a\x07.tsv: the id '\x1b[31m\u202e\x9b\ud800'; xxx")
    assert str(error).isprintable() and len(str(error)) < 1100
