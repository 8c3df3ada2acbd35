"""NQ-open: Natural Questions with short answers, {"question", "answer": [...]} a line.

Documented in the folder nq_open of github.com/google-research-datasets/natural-questions; DrQA's
files of other sets (github.com/facebookresearch/DrQA, "Format A") have the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg.corpus.formats.records import listing, objects, question
from ecqg.corpus.questions import Question


def read_nq_open(path: Path) -> Iterator[Question]:
    """Read NQ-open.dev.jsonl and the like. Raises InputError naming file and line."""
    for line, record in objects(path):
        answers = listing(record.get("answer"), file=path, line=line, name='"answer"')
        yield question(record.get("question"), answers, file=path, line=line, name="the record")
