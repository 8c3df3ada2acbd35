"""Reading-comprehension examples in SQuAD v2 JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from msgspec import Struct, field, to_builtins

from ecqg.errors import InputError
from ecqg.files import read_as, write_json


class Answer(Struct, frozen=True):
    """An answer string and the character offset in the context at which it stands."""

    text: str
    start: int = field(name="answer_start")


@dataclass(frozen=True, slots=True)
class ReadingExample:
    """A question on a context; no answers means that the context does not answer it."""

    id: str
    question: str
    title: str
    context: str
    answers: tuple[Answer, ...]


class _Question(Struct, kw_only=True):
    id: str | int  # COVID-QA's are numbers
    question: str
    answers: tuple[Answer, ...] = ()
    is_impossible: bool = False


class _Paragraph(Struct):
    context: str
    qas: list[_Question]


class _Article(Struct, kw_only=True):
    title: str = ""
    paragraphs: list[_Paragraph]


class _Squad(Struct):
    data: list[_Article]


def read_reading(path: str | Path, *, least: int = 1) -> list[ReadingExample]:
    """Read SQuAD v1.1 or v2 JSON. A question marked impossible has no answers, whatever it lists.

    Raises InputError naming the file and the question where the file is missing or misses a
    field or has one of another type, an id stands twice, a question has no answers and is not
    marked impossible, an answer does not lie at its `answer_start`, or there are fewer than
    `least` questions.
    """
    wrong = partial(InputError, file=path)
    if not Path(path).is_file():
        raise wrong("no such file", remedy="check the path in params.yaml")
    examples: dict[str, ReadingExample] = {}
    remedy = "it needs data, paragraphs, context, qas, id, question, answers"
    for article in read_as(path, _Squad, "not SQuAD JSON", remedy).data:
        for paragraph in article.paragraphs:
            for question in paragraph.qas:
                example = _example(question, article.title, paragraph.context, wrong)
                if example.id in examples:
                    what = f"the question id {example.id} stands twice"
                    raise wrong(what, remedy="ids must be unique")
                examples[example.id] = example
    if len(examples) < least:
        raise wrong("no questions", remedy="it needs at least one")
    return list(examples.values())


def _example(
    of: _Question, title: str, context: str, wrong: Callable[..., InputError]
) -> ReadingExample:
    name = f"question {of.id}"
    answers = () if of.is_impossible else of.answers
    if not (answers or of.is_impossible):
        remedy = 'add answers, or mark it with "is_impossible": true'
        raise wrong(f"{name} has no answers", remedy=remedy)
    for answer in answers:
        if not answer.text or answer.start < 0 or not context.startswith(answer.text, answer.start):
            what = f"{name}: the answer {answer.text!r} is not at {answer.start}"
            raise wrong(what, remedy="answer_start counts characters of the context from 0")
    if not of.question.strip():
        raise wrong(f"{name} is empty", remedy="write or remove it")
    return ReadingExample(str(of.id), of.question, title, context, answers)


def write_reading(path: str | Path, examples: Iterable[ReadingExample]) -> None:
    """Write SQuAD v2 JSON; neighbouring examples on the same context share a paragraph."""
    articles = []
    for title, on_title in groupby(examples, lambda e: e.title):
        paragraphs = []
        for context, on_context in groupby(on_title, lambda e: e.context):
            questions = [
                _Question(
                    id=e.id, question=e.question, answers=e.answers, is_impossible=not e.answers
                )
                for e in on_context
            ]
            paragraphs.append(_Paragraph(context, questions))
        articles.append(_Article(title=title, paragraphs=paragraphs))
    write_json(path, {"version": "v2.0", "data": to_builtins(articles)})
