"""Reading-comprehension examples in SQuAD v2 JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ecqg.errors import InputError
from ecqg.files import read_json, write_json


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


def read_reading(path: str | Path) -> list[ReadingExample]:
    """Read SQuAD v1.1 or v2 JSON.

    Raises InputError where the file is missing or misses a field, or an answer does not lie at
    its `answer_start`.
    """
    if not Path(path).is_file():
        raise InputError("no such file", file=path, remedy="check the path in params.yaml")
    data = read_json(path)
    examples: list[ReadingExample] = []
    try:
        for article in data["data"]:
            for paragraph in article["paragraphs"]:
                context = paragraph["context"]
                for qa in paragraph["qas"]:
                    answers = tuple(Answer(a["text"], a["answer_start"]) for a in qa["answers"])
                    for answer in answers:
                        if not context.startswith(answer.text, answer.start):
                            raise InputError(
                                f"question {qa['id']}: {answer.text!r} is not at {answer.start}",
                                file=path,
                                remedy="answer_start counts characters of the context from 0",
                            )
                    if qa.get("is_impossible"):
                        answers = ()
                    title = article.get("title", "")
                    examples.append(
                        ReadingExample(str(qa["id"]), qa["question"], title, context, answers)
                    )
    except (KeyError, TypeError) as error:
        raise InputError(
            f"not SQuAD JSON (lacks {error})", file=path, remedy="see rajpurkar.github.io/SQuAD-explorer"
        ) from None
    return examples


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
