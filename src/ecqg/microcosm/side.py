"""Zero-shot collections beside the main one: a folder with passages and one test set."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.qrels import SUFFIX, write_qrels
from ecqg.corpus.questions import Question, write_questions
from ecqg.files import atomic


class Text(NamedTuple):
    """A passage."""

    title: str
    text: str


class Row(NamedTuple):
    """A question, all its accepted answers, and the passages that give one, by their numbers."""

    question: str
    answers: tuple[str, ...]
    passages: tuple[int, ...]  # from 0


def write_side(folder: Path, texts: Iterable[Text], rows: Iterable[Row]) -> None:
    """Write passages.tsv, with ids from 1, test.qa.tsv and test.qrels."""
    with atomic(folder) as aside:
        aside.mkdir()
        entries = (Entry(str(i), text.text, text.title) for i, text in enumerate(texts, 1))
        write_passage_file(aside / "passages.tsv", entries)
        asked = list(rows)
        questions = (Question(str(i), row.question, row.answers) for i, row in enumerate(asked))
        write_questions(aside / "test.qa.tsv", questions)
        judged = {str(i): {str(n + 1): 1 for n in row.passages} for i, row in enumerate(asked)}
        write_qrels(aside / f"test{SUFFIX}", judged)
