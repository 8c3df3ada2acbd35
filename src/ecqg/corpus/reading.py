"""Reading-comprehension examples in SQuAD v2 JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ecqg.errors import InputError
from ecqg.files import read_json, write_json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer string and the character offset in the context at which it stands."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class ReadingExample:
    """A question on a context; no answers means that the context does not answer it."""

    id: str
    question: str
    title: str
    context: str
    answers: tuple[Answer, ...]


def read_reading(path: str | Path, *, least: int = 1) -> list[ReadingExample]:
    """Read SQuAD v1.1 or v2 JSON. A question marked impossible has no answers, whatever it lists.

    Raises InputError naming the file and the question where the file is missing or misses a
    field or has one of another type, an id stands twice, a question has no answers and is not
    marked impossible, an answer does not lie at its `answer_start`, or there are fewer than
    `least` questions.
    """
    if not Path(path).is_file():
        raise InputError("no such file", file=path, remedy="check the path in params.yaml")
    examples: dict[str, ReadingExample] = {}
    try:
        for article in _get(read_json(path), "data", list):
            title = _get(article, "title", str) if "title" in article else ""
            for paragraph in _get(article, "paragraphs", list):
                context = _get(paragraph, "context", str)
                for qa in _get(paragraph, "qas", list):
                    example = _example(qa, title, context, path)
                    if example.id in examples:
                        what = f"the question id {example.id} stands twice"
                        raise InputError(what, file=path, remedy="ids must be unique")
                    examples[example.id] = example
    except (KeyError, TypeError) as error:
        raise InputError(
            f"not SQuAD JSON ({type(error).__name__}: {error})",
            file=path,
            remedy="it needs data, paragraphs, context, qas, id, question, answers",
        ) from None
    if len(examples) < least:
        raise InputError("no questions", file=path, remedy="it needs at least one")
    return list(examples.values())


def _get(holder: Any, key: str, kind: type[T]) -> T:
    """A member of that very type: true is no number."""
    if not isinstance(holder, dict):
        raise TypeError(f"{key!r} is asked of what is no object")
    value = holder[key]
    if type(value) is not kind:
        raise TypeError(f"{key} is no {kind.__name__}")
    return value


def _example(qa: Any, title: str, context: str, path: str | Path) -> ReadingExample:
    question = _get(qa, "question", str)
    number = type(qa["id"]) is int  # COVID-QA's are numbers
    name = f"question {qa['id'] if number else _get(qa, 'id', str)}"
    answers: tuple[Answer, ...] = ()
    if not ("is_impossible" in qa and _get(qa, "is_impossible", bool)):
        listed = _get(qa, "answers", list)
        answers = tuple(Answer(_get(a, "text", str), _get(a, "answer_start", int)) for a in listed)
        if not answers:
            remedy = 'add answers, or mark it with "is_impossible": true'
            raise InputError(f"{name} has no answers", file=path, remedy=remedy)
    for answer in answers:
        if not answer.text or answer.start < 0 or not context.startswith(answer.text, answer.start):
            raise InputError(
                f"{name}: the answer {answer.text!r} is not at {answer.start}",
                file=path,
                remedy="answer_start counts characters of the context from 0",
            )
    if not question.strip():
        raise InputError(f"{name} is empty", file=path, remedy="write or remove it")
    return ReadingExample(str(qa["id"]), question, title, context, answers)


def write_reading(path: str | Path, examples: Iterable[ReadingExample]) -> None:
    """Write SQuAD v2 JSON; neighbouring examples on the same context share a paragraph."""
    articles: list[dict[str, object]] = []
    title: str | None = None
    context: str | None = None
    paragraphs: list[dict[str, object]] = []
    qas: list[dict[str, object]] = []
    for example in examples:
        if example.title != title:
            title, context, paragraphs = example.title, None, []
            articles.append({"title": title, "paragraphs": paragraphs})
        if example.context != context:
            context, qas = example.context, []
            paragraphs.append({"context": context, "qas": qas})
        qas.append(
            {
                "id": example.id,
                "question": example.question,
                "answers": [{"text": a.text, "answer_start": a.start} for a in example.answers],
                "is_impossible": not example.answers,
            }
        )
    write_json(path, {"version": "v2.0", "data": articles})
