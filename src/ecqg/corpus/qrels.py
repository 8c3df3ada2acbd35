"""Qrels (relevance judgements): which passages of the collection answer a test question.

Answer strings, which top-k accuracy looks for, stand in many passages that answer another question;
qrels name the passages that answer this one. They come from the first of these files that lies
beside `NAME.qa.tsv`, and a test set without any has none:

- `NAME.qrels`, TREC's format: `question_id 0 passage_id relevance`, the question's id being its
  0-based line in the qa file or, where `NAME.ids.txt` lies beside it, what that line says there; a
  relevance above 0 means relevant;
- `NAME.facts.tsv` with `facts.jsonl` (generated data): every passage that states the fact;
- `squad-NAME.json`: the passage that holds the answer in a question's context. Questions are found
  by their text and an answer that they share, since SQuAD's repeats stand once in the qa file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from ecqg.corpus.folder import TestSet, read_test_set, reading_candidates
from ecqg.corpus.formats.rows import BadRows, line_rows
from ecqg.corpus.gold import GoldPair, pair_up
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import ANSWERS, QA, Question
from ecqg.corpus.reading import read_reading
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_text

SUFFIX = ".qrels"
FORM = (
    "write 'question_id 0 passage_id relevance', the question's id being its line from 0 on, or "
    "what NAME.ids.txt has there"
)
RELEVANCE = re.compile("-?[0-9]{1,9}")
BEIR = ["query-id", "corpus-id", "score"]  # the header of BEIR's judgements, which TREC's lack
Qrels = dict[str, dict[str, int]]  # question id -> passage id -> relevance


def judge(folder: Path, file: str, passages: Passages) -> Qrels | None:
    """The qrels of the qa file `file` of a data folder; None where it has none.

    Questions for which nothing relevant is known are left out. Raises InputError for malformed
    files, and for a question or a passage that is not there.
    """
    test_set = read_test_set(folder, file)
    questions, stem = test_set.questions, file.removesuffix(QA)
    qrels, facts = folder / f"{stem}{SUFFIX}", folder / "facts.jsonl"
    squad = folder / f"squad-{stem}.json"
    if qrels.is_file():
        bad = BadRows(hint="")
        found = judge_by(qrels, test_set, passages.rows_by_id(), bad)
        bad.settle()
        return found
    if test_set.facts and facts.is_file():
        return _by_fact(questions, test_set.facts, facts)
    return _by_context(questions, squad, passages) if squad.is_file() else None


def judge_by(path: Path, test_set: TestSet, passages: Container[str], bad: BadRows) -> Qrels:
    """The qrels of a test set that a file in TREC's format has, without questions of none."""
    numbers = {n: q.id for n, q in zip(test_set.names, test_set.questions, strict=True)}
    found = read_qrels(path, bad, numbers, passages)
    return {numbers[q]: of for q, of in found.items() if any(r > 0 for r in of.values())}


def check_measurable(path: Path, questions: Iterable[Question], judged: Container[str]) -> None:
    """Raise InputError where a question of a qa file has neither answers nor judgements."""
    for question in questions:
        if not (question.answers or question.id in judged):
            raise InputError(
                "a question with neither answers nor a relevant passage",
                file=path,
                line=int(question.id) + 1,
                remedy=f"{ANSWERS}, or judge a passage relevant in the .qrels beside it",
            )


def renumbered(qrels: Qrels, rows: Iterable[int]) -> Qrels:
    """The qrels of the questions of `rows`, numbered by their place there, in that order."""
    return {str(i): qrels[str(row)] for i, row in enumerate(rows) if str(row) in qrels}


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write qrels in TREC's format."""
    lines = (f"{q} 0 {p} {relevance}\n" for q, of in qrels.items() for p, relevance in of.items())
    write_text(path, "".join(lines))


def read_qrels(
    path: Path,
    bad: BadRows | None = None,
    questions: Container[str] | None = None,
    passages: Container[str] | None = None,
) -> Qrels:
    """Read TREC's format or BEIR's; lines that are malformed, cut short or repeats are bad rows.

    So are judgements of others than `questions` and `passages`, where these are given. Raises
    InputError where there is no judgement, and for bad rows unless `bad` takes them.
    """
    rows = BadRows(hint="") if bad is None else bad
    found: Qrels = {}
    beir = False
    for row in line_rows(path, rows):
        fields = row.raw.split()
        if row.line == 1 and fields == BEIR:
            beir = True
            continue
        fields[1:1] = ["0"] if beir else []
        if len(fields) != 4 or not RELEVANCE.fullmatch(fields[3]):
            rows.add(row, "not a judgement", FORM)
            continue
        question, _, passage, relevance = fields
        if questions is not None and question not in questions:
            rows.add(row, f"there is no question {question!r}", FORM)
        elif passages is not None and passage not in passages:
            rows.add(row, f"no passage has the id {passage!r}", "take ids of passages.tsv")
        elif passage in found.get(question, ()):
            what = f"passage {passage!r} is judged twice for question {question!r}"
            rows.add(row, what, "keep one of the two")
        else:
            found.setdefault(question, {})[passage] = int(relevance)
    if bad is None or not found:
        rows.settle()
    if not found:
        raise InputError("no judgements", file=path, remedy=FORM)
    return found


def _by_fact(questions: list[Question], keys: list[str], facts: Path) -> Qrels:
    """Every passage that states the fact that a question asks for."""
    wanted = set(keys)
    stated: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for record in read_jsonl(facts, {"key": str, "passage_id": str | int}):
        if record["key"] in wanted:
            stated[record["key"]][str(record["passage_id"])] = 1
    pairs = zip(questions, keys, strict=True)
    return {question.id: dict(stated[key]) for question, key in pairs if key in stated}


def _by_context(questions: list[Question], squad: Path, passages: Passages) -> Qrels:
    """The passages that hold an answer in the contexts that a question was asked about."""
    pairs, _ = pair_up(reading_candidates(read_reading(squad)), passages)
    by_text: defaultdict[str, list[GoldPair]] = defaultdict(list)
    for pair in pairs:
        by_text[_key(pair.question)].append(pair)
    found: Qrels = {}
    for question in questions:
        of = by_text.get(_key(question.text), ())
        if rows := {pair.row for pair in of if {*pair.answers} & {*question.answers}}:
            found[question.id] = {passages[row].id: 1 for row in sorted(rows)}
    return found


def _key(text: str) -> str:
    return " ".join(text.split())
