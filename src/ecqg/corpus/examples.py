"""Retriever training examples in DPR's JSON; ours put one example on a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg.corpus.json_array import read_array
from ecqg.errors import InputError
from ecqg.files import atomic


@dataclass(frozen=True, slots=True)
class Context:
    """A passage as it stands in a training example."""

    passage_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the passages that answer it and hard negatives that do not."""

    question: str
    answers: tuple[str, ...]
    positives: tuple[Context, ...]
    hard_negatives: tuple[Context, ...] = ()


def write_examples(path: str | Path, examples: Iterable[Example]) -> int:
    """Write examples as a stream. Returns their number."""
    count = 0
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for example in examples:
            record = {
                "question": example.question,
                "answers": list(example.answers),
                "positive_ctxs": [_record(c) for c in example.positives],
                "negative_ctxs": [],
                "hard_negative_ctxs": [_record(c) for c in example.hard_negatives],
            }
            out.write(("," if count else "") + "\n" + json.dumps(record, ensure_ascii=False))
            count += 1
        out.write("\n]\n")
    return count


def read_examples(path: str | Path) -> Iterator[Example]:
    """Read any DPR training file as a stream.

    Raises InputError naming file and line where the file is missing or no JSON array, or an
    example lacks a field, has one of another type, or has no answers.
    """
    for line, record in read_array(path):
        yield _example(record, path, line)


def _example(record: Any, path: str | Path, line: int) -> Example:
    try:
        question = _text(record, "question")
        answers = _list(record, "answers")
        if not all(isinstance(answer, str) for answer in answers):
            raise TypeError("a list of answers, each a string")
        example = Example(
            question,
            tuple(answers),
            tuple(map(_context, _list(record, "positive_ctxs"))),
            tuple(map(_context, _list(record, "hard_negative_ctxs", ()))),
        )
    except (KeyError, TypeError) as error:
        raise InputError(
            f"example lacks {error}",
            file=path,
            line=line,
            remedy="it needs question, answers, positive_ctxs, hard_negative_ctxs",
        ) from None
    if not question.strip():
        raise InputError("an empty question", file=path, line=line, remedy="write or remove it")
    if not any(answer.strip() for answer in answers):
        remedy = 'write "answers": ["1852"]'
        raise InputError("a question without answers", file=path, line=line, remedy=remedy)
    return example


def _record(context: Context) -> dict[str, str]:
    return {"passage_id": context.passage_id, "title": context.title, "text": context.text}


def _context(record: Any) -> Context:
    text = _text(record, "text")
    title = record.get("title")
    name = record.get("passage_id", record.get("psg_id", ""))  # a number in some of DPR's files
    if not isinstance(title, str | None):
        raise TypeError("a title that is a string")
    if type(name) not in (str, int):
        raise TypeError("a passage_id that is a string")
    return Context(str(name), title or "", text)


def _text(record: Any, key: str) -> str:
    if not isinstance(record, dict):
        raise TypeError("an object")
    value = record[key]
    if not isinstance(value, str):
        raise TypeError(f"a {key} that is a string")
    return value


def _list(record: dict[str, Any], key: str, *default: Any) -> list[Any]:
    value = record.get(key, *default) if default else record[key]
    if not isinstance(value, list | tuple):
        raise TypeError(f"a list of {key}")
    return list(value)
