"""NQ-open: Natural Questions with short answers, {"question", "answer": [...]} a line.

Documented in the folder nq_open of github.com/google-research-datasets/natural-questions; DrQA's
files of other sets (github.com/facebookresearch/DrQA, "Format A") have the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ecqg.corpus.formats.records import lines, question
from ecqg.corpus.questions import Question


class _Record(Struct):
    question: str
    answer: list[str]


def read_nq_open(path: Path) -> Iterator[Question]:
    """Read NQ-open.dev.jsonl and the like. Raises InputError naming file and line."""
    for line, record in lines(path, _Record):
        yield question(record.question, record.answer, file=path, line=line, name="the record")
