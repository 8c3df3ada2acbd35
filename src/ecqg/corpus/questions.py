"""Test questions in DPR's qa format: `question<TAB>["answer", ...]`, no header."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ecqg.corpus.lines import numbered_lines, split_fields
from ecqg.errors import InputError
from ecqg.files import atomic, parse_json

ANSWERS = 'write a JSON list of strings, such as ["1852"], after the tab'


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its accepted answer strings. `id` is the 0-based line number, as a string."""

    id: str
    text: str
    answers: tuple[str, ...]


def read_questions(path: str | Path) -> list[Question]:
    """Read a qa file; answers may be a JSON list or a Python literal, as in DPR's files.

    Empty strings among the answers are dropped. Raises InputError naming file and line for a
    missing file, a malformed line, an empty question, or a question without answers.
    """
    questions: list[Question] = []
    for number, line in numbered_lines(path):
        # Not strict: published files hold unquoted questions that begin with a double quote.
        fields = split_fields(line, strict=False)
        if isinstance(fields, str):
            what = f"malformed ({fields})"
            raise InputError(what, file=path, line=number, remedy=ANSWERS)
        if len(fields) != 2:
            what = f"{len(fields)} tab-separated fields where 2 belong"
            raise InputError(what, file=path, line=number, remedy=ANSWERS)
        text, answers = fields[0].strip(), parse_answers(fields[1])
        if not text:
            raise InputError(
                "an empty question", file=path, line=number, remedy="write or remove it"
            )
        if answers is None:
            raise InputError(
                "answers that are no list of strings", file=path, line=number, remedy=ANSWERS
            )
        # An empty answer would be found in every passage.
        answers = tuple(answer for answer in answers if answer.strip())
        if not answers:
            raise InputError("a question without answers", file=path, line=number, remedy=ANSWERS)
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
