"""Retriever training examples in DPR's JSON, which holds the texts of passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec import Struct, to_builtins

from ecqg.corpus.records import read_array, write_array
from ecqg.errors import InputError
from ecqg.files import checked


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

    def plain(self) -> Context:
        name = self.psg_id if self.passage_id == "" else self.passage_id
        return Context(str(name), self.title or "", self.text)


class _Example(Struct):
    question: str
    answers: tuple[str, ...]
    positive_ctxs: list[_Context]
    hard_negative_ctxs: list[_Context] = []


def write_dpr_examples(path: str | Path, examples: Iterable[DprExample]) -> int:
    """Write examples as a stream, one a line. Returns their number."""
    records = (
        {
            "question": example.question,
            "answers": example.answers,
            "positive_ctxs": to_builtins(example.positives),
            "negative_ctxs": [],
            "hard_negative_ctxs": to_builtins(example.hard_negatives),
        }
        for example in examples
    )
    return write_array(path, records)


def read_dpr_examples(path: str | Path) -> Iterator[DprExample]:
    """Read any DPR training file as a stream.

    Answers may be none: then retrievers learn which passage is meant, and nothing learns to ask or
    read. Raises InputError naming file and line where the file is missing or no JSON array, or an
    example lacks a field or has one of another type.
    """
    remedy = "it needs question, answers, positive_ctxs, hard_negative_ctxs"
    for line, record in read_array(path):
        found = checked(record, _Example, "example", file=path, line=line, remedy=remedy)
        wrong = partial(InputError, file=path, line=line)
        if not found.question.strip():
            raise wrong("an empty question", remedy="write or remove it")
        positives = tuple(context.plain() for context in found.positive_ctxs)
        negatives = tuple(context.plain() for context in found.hard_negative_ctxs)
        yield DprExample(found.question, found.answers, positives, negatives)
