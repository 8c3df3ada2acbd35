"""Test questions in DPR's qa format: `question<TAB>["answer", ...]`, no header."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ecqg.errors import InputError
from ecqg.files import atomic

ANSWERS = 'write a JSON list of strings, such as ["1852"], after the tab'


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its accepted answer strings. `id` is the 0-based line number, as a string."""

    id: str
    text: str
    answers: tuple[str, ...]


def read_questions(path: str | Path) -> list[Question]:
    """Read a qa file; answers may be a JSON list or a Python literal, as in DPR's files.

    Raises InputError for a malformed line, an empty question, or a question without answers.
    """
    questions: list[Question] = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            # The csv module reads a line by itself, so that a stray quote cannot swallow the next.
            fields = next(csv.reader([line.rstrip("\n")], delimiter="\t"), [])
            if len(fields) != 2:
                what = f"{len(fields)} tab-separated fields where 2 belong"
                raise InputError(what, file=path, line=number, remedy=ANSWERS)
            text, answers = fields[0].strip(), _answers(fields[1])
            if not text:
                raise InputError(
                    "an empty question", file=path, line=number, remedy="write or remove it"
                )
            if answers is None:
                raise InputError(
                    "answers that are no list of strings", file=path, line=number, remedy=ANSWERS
                )
            if not any(answer.strip() for answer in answers):
                raise InputError(
                    "a question without answers", file=path, line=number, remedy=ANSWERS
                )
            questions.append(Question(str(number - 1), text, answers))
    if not questions:
        raise InputError("no questions", file=path, remedy="the file needs one question a line")
    return questions


def write_questions(path: str | Path, questions: Iterable[Question]) -> None:
    """Write a qa file that `read_questions` and DPR's reader read back unchanged."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        for question in questions:
            answers = json.dumps(list(question.answers), ensure_ascii=False)
            # Unquoted where possible: DPR's own files write the list bare.
            out_line = f"{question.text}\t{answers}\n"
            if next(csv.reader([out_line.rstrip("\n")], delimiter="\t")) == [question.text, answers]:
                out.write(out_line)
            else:
                writer.writerow([question.text, answers])


def open_text(path: str | Path):  # type: ignore[no-untyped-def]
    """Open a UTF-8 text file for reading. Raises InputError where there is none."""
    try:
        return Path(path).open(encoding="utf-8", newline="")
    except (FileNotFoundError, IsADirectoryError):
        raise InputError("no such file", file=path, remedy="check the path in params.yaml") from None


def _answers(field: str) -> tuple[str, ...] | None:
    """The list in a field, or None where it is none. Nothing is ever evaluated."""
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(field)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, list) and all(isinstance(answer, str) for answer in value):
            return tuple(value)
    return None
