"""Zero-shot collections beside the main one: a folder with passages and one test set."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.qrels import SUFFIX, write_qrels
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.files import atomic

PATIENCE = 100  # draws per question before the passages count as too few


class Row(NamedTuple):
    """A question, all its accepted answers, and the passages that give one, by their numbers."""

    question: str
    answers: tuple[str, ...]
    passages: tuple[int, ...]  # from 0

    @property
    def tells(self) -> bool:
        """Whether the question gives an answer away, or there is none."""
        return not self.answers or any(a.lower() in self.question.lower() for a in self.answers)


def draw_rows(count: int, draw: Callable[[], Row | None], name: str, what: str) -> list[Row]:
    """`count` different questions, each drawn at random; None is a draw that came to nothing.

    Raises InputError where microcosm.NAME.passages, which tell of `what`, give too few.
    """
    rows: dict[str, Row] = {}
    for _ in range(PATIENCE * count):
        if len(rows) == count:
            return list(rows.values())
        if row := draw():
            rows.setdefault(row.question, row)
    raise InputError(
        f"{len(rows)} of {count} questions about {what}",
        file="params.yaml",
        remedy=f"raise microcosm.{name}.passages, or ask fewer questions",
    )


def write_side(folder: Path, texts: Iterable[tuple[str, str]], rows: Iterable[Row]) -> None:
    """Write passages.tsv, of (title, text) with ids from 1, test.qa.tsv and test.qrels."""
    with atomic(folder) as aside:
        aside.mkdir()
        entries = (Entry(str(i), text, title) for i, (title, text) in enumerate(texts, 1))
        write_passage_file(aside / "passages.tsv", entries)
        numbered = {str(i): row for i, row in enumerate(rows)}
        questions = (Question(i, row.question, row.answers) for i, row in numbered.items())
        write_questions(aside / "test.qa.tsv", questions)
        qrels = {i: {str(n + 1): 1 for n in row.passages} for i, row in numbered.items()}
        write_qrels(aside / f"test{SUFFIX}", qrels)
