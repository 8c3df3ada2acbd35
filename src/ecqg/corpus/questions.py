"""Test questions in DPR's qa format, `question<TAB>["answer", ...]` without a header.

Beside them may lie fact keys of generated questions (two with the same key ask the same thing), and
the ids that the questions have where they come from.
"""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from ecqg.corpus.lines import numbered_lines, split_fields
from ecqg.errors import InputError
from ecqg.files import atomic, parse_json

QA = ".qa.tsv"
IDS = ".ids.txt"  # beside a qa file
ANSWERS = 'write a JSON list of strings, such as ["1852"], after the tab'
# The parts of a test set that training does not give away, by name: ecqg.corpus.overlap.
Subset = Literal["no_answer_overlap", "no_question_overlap"]
SUBSETS: tuple[str, ...] = get_args(Subset)


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its accepted answer strings. `id` is the 0-based line number, as a string.

    Of one without answers relevance judgements say which passages count (ecqg.corpus.qrels).
    """

    id: str
    text: str
    answers: tuple[str, ...]


def read_questions(path: str | Path) -> list[Question]:
    """Read a qa file; answers may be a JSON list or a Python literal, as in DPR's files.

    Empty strings among the answers are dropped, and the list may be empty. Raises InputError naming
    file and line for a missing file, a malformed line, or an empty question.
    """
    questions: list[Question] = []
    for number, line in numbered_lines(path):
        wrong = partial(InputError, file=path, line=number, remedy=ANSWERS)
        # Not strict: published files hold unquoted questions that begin with a double quote.
        fields = split_fields(line, strict=False)
        if isinstance(fields, str):
            raise wrong(f"malformed ({fields})")
        if len(fields) != 2:
            raise wrong(f"{len(fields)} tab-separated fields where 2 belong")
        text, answers = fields[0].strip(), parse_answers(fields[1])
        if not text:
            raise wrong("an empty question", remedy="write or remove it")
        if answers is None:
            raise wrong("answers that are no list of strings")
        # An empty answer would be found in every passage.
        answers = tuple(answer for answer in answers if answer.strip())
        questions.append(Question(str(number - 1), text, answers))
    if not questions:
        raise InputError("no questions", file=path, remedy="the file needs one question a line")
    return questions


def write_questions(path: str | Path, questions: Iterable[Question]) -> None:
    """Write a qa file that `read_questions` and DPR's reader read back unchanged.

    Raises ValueError for a line break inside a question.
    """
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        quoted = csv.writer(out, delimiter="\t", lineterminator="\n")
        for question in questions:
            if "\n" in question.text:
                raise ValueError(f"question {question.id} holds a line break")
            fields = [question.text, json.dumps(list(question.answers), ensure_ascii=False)]
            # Unquoted where possible: DPR's own files write the list bare.
            bare = "\t".join(fields)
            if split_fields(bare, strict=False) == fields:
                out.write(bare + "\n")
            else:
                quoted.writerow(fields)


def parse_answers(field: str) -> tuple[str, ...] | None:
    """The list in a field, or None where it is none. Nothing is ever evaluated."""
    for parse in (parse_json, ast.literal_eval):
        try:
            value = parse(field)
            if isinstance(value, list) and all(isinstance(answer, str) for answer in value):
                "".join(value).encode()  # half a surrogate pair is no text
                return tuple(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


def read_ids(path: str | Path, questions: int) -> list[str]:
    """The ids of a qa file's questions where they come from, one a line.

    Raises InputError naming file and line for one that is no single word or a repeat, or another
    number of lines.
    """
    ids: dict[str, int] = {}
    for number, line in numbered_lines(path, ended=True):
        if line.split() != [line] or line in ids:
            what = f"the id {line!r} is no single word, or stands twice"
            raise InputError(what, file=path, line=number, remedy="write one id a line")
        ids[line] = number
    if len(ids) != questions:
        what = f"{len(ids)} ids for {questions} questions"
        raise InputError(what, file=path, remedy="write one a line, aligned with the qa file")
    return [*ids]


def read_train_facts(path: str | Path) -> dict[str, str]:
    """Fact keys by question id, from `id<TAB>key` lines.

    Raises InputError naming file and line, also of an id that stands twice.
    """
    facts: dict[str, str] = {}
    for number, line in numbered_lines(path, ended=True):
        wrong = partial(InputError, file=path, line=number)
        name, _, key = line.partition("\t")
        if not (name and key):
            raise wrong("no fact key", remedy="write question id<TAB>fact key")
        if name in facts:
            raise wrong(f"the id {name!r} for the second time", remedy="ids must be unique")
        facts[name] = key
    return facts


def read_test_facts(path: str | Path, questions: int) -> list[str]:
    """The fact keys of a qa file's questions, one a line.

    Raises InputError naming file and line for an empty key or another number of lines.
    """
    facts: list[str] = []
    for number, line in numbered_lines(path, ended=True):
        if not line:
            remedy = "write the fact key of the question on the same line of the qa file"
            raise InputError("no fact key", file=path, line=number, remedy=remedy)
        facts.append(line)
    if len(facts) != questions:
        what = f"{len(facts)} fact keys for {questions} questions"
        raise InputError(what, file=path, remedy="write one a line, aligned with the qa file")
    return facts
