"""Retriever training examples in DPR's JSON, one example a line of the array.

The array is valid JSON as a whole (any DPR tool reads it) and can be streamed a line at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg.corpus.questions import open_text
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
    """Read examples as a stream: our own files line by line, any other DPR JSON as a whole.

    Raises InputError naming file and line (ours) or example number (others).
    """
    with open_text(path) as lines:
        ours = lines.readline() == "[\n"
    records = _lines(path) if ours else _whole(path)
    for number, record in records:
        yield _example(record, path, number)


def _lines(path: str | Path) -> Iterator[tuple[int, Any]]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            body = line.strip().rstrip(",")
            if body in ("[", "]", ""):
                continue
            try:
                yield number, json.loads(body)
            except json.JSONDecodeError as error:
                raise InputError(
                    f"not JSON ({error.msg})", file=path, line=number, remedy="remake the file"
                ) from None


def _whole(path: str | Path) -> Iterator[tuple[int, Any]]:
    with open_text(path) as file:
        try:
            records = json.load(file)
        except json.JSONDecodeError as error:
            raise InputError(
                f"not JSON ({error.msg})", file=path, line=error.lineno, remedy="mend the file"
            ) from None
    if not isinstance(records, list):
        raise InputError("not a JSON array", file=path, remedy="DPR's training files are arrays")
    yield from enumerate(records, 1)


def _example(record: Any, path: str | Path, number: int) -> Example:
    try:
        example = Example(
            str(record["question"]),
            tuple(map(str, record["answers"])),
            tuple(_context(c) for c in record["positive_ctxs"]),
            tuple(_context(c) for c in record.get("hard_negative_ctxs", ())),
        )
    except (KeyError, TypeError) as error:
        raise InputError(
            f"example lacks {error}",
            file=path,
            line=number,
            remedy="it needs question, answers, positive_ctxs, hard_negative_ctxs",
        ) from None
    return example


def _record(context: Context) -> dict[str, str]:
    return {"passage_id": context.passage_id, "title": context.title, "text": context.text}


def _context(record: Any) -> Context:
    name = record.get("passage_id", record.get("psg_id", ""))
    return Context(str(name), str(record.get("title") or ""), str(record["text"]))
