"""Retriever training examples in DPR's JSON, which holds the texts of passages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct, to_builtins

from ecqg.corpus.json_array import read_array
from ecqg.errors import InputError
from ecqg.files import atomic, checked


@dataclass(frozen=True, slots=True)
class Context:
    """A passage as it stands in a training example."""

    passage_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DprExample:
    """A question with the passages that answer it and hard negatives that do not."""

    question: str
    answers: tuple[str, ...]
    positives: tuple[Context, ...]
    hard_negatives: tuple[Context, ...] = ()


class _Context(Struct):
    text: str
    title: str | None = None
    passage_id: str | int = ""  # a number in some of DPR's files
    psg_id: str | int = ""


class _Example(Struct):
    question: str
    answers: list[str]
    positive_ctxs: list[_Context]
    hard_negative_ctxs: list[_Context] = []


def write_dpr_examples(path: str | Path, examples: Iterable[DprExample]) -> int:
    """Write examples as a stream, one a line. Returns their number."""
    count = 0
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for example in examples:
            record = {
                "question": example.question,
                "answers": example.answers,
                "positive_ctxs": to_builtins(example.positives),
                "negative_ctxs": [],
                "hard_negative_ctxs": to_builtins(example.hard_negatives),
            }
            out.write(("," if count else "") + "\n" + json.dumps(record, ensure_ascii=False))
            count += 1
        out.write("\n]\n")
    return count


def read_dpr_examples(path: str | Path) -> Iterator[DprExample]:
    """Read any DPR training file as a stream.

    Raises InputError naming file and line where the file is missing or no JSON array, or an
    example lacks a field, has one of another type, or has no answers.
    """
    remedy = "it needs question, answers, positive_ctxs, hard_negative_ctxs"
    for line, record in read_array(path):
        found = checked(record, _Example, "example", file=path, line=line, remedy=remedy)
        if not found.question.strip():
            raise InputError("an empty question", file=path, line=line, remedy="write or remove it")
        if not any(answer.strip() for answer in found.answers):
            what, answers = "a question without answers", 'write "answers": ["1852"]'
            raise InputError(what, file=path, line=line, remedy=answers)
        contexts = (found.positive_ctxs, found.hard_negative_ctxs)
        yield DprExample(
            found.question, tuple(found.answers), *(tuple(map(_context, c)) for c in contexts)
        )


def _context(found: _Context) -> Context:
    name = found.psg_id if found.passage_id == "" else found.passage_id
    return Context(str(name), found.title or "", found.text)
