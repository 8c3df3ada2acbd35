"""DPR's question files, nq-test.qa.csv and the like: question, tab, list of answers.

The list is a Python literal, sometimes in CSV quotes and, in DPR's TriviaQA files, in quotes
within quotes; see CsvQASrc in dpr/data/retriever_data.py of github.com/facebookresearch/DPR, and
read_references in evaluate.py of github.com/facebookresearch/QA-Overlap, which undoes up to three
layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg.corpus.formats.records import question
from ecqg.corpus.lines import numbered_lines, split_fields
from ecqg.corpus.questions import ANSWERS, Question, parse_answers
from ecqg.errors import InputError

LAYERS = 4


def read_dpr_qa(path: Path) -> Iterator[Question]:
    """Read a question file. Raises InputError naming file and line."""
    for number, line in numbered_lines(path):
        fields = split_fields(line, strict=False)
        answers = None
        if not isinstance(fields, str) and len(fields) == 2:
            answers = _unquoted(fields[1])
        if answers is None:
            what = "no question, tab and list of answers"
            raise InputError(what, file=path, line=number, remedy=ANSWERS)
        yield question(fields[0], answers, file=path, line=number, name="the line")


def _unquoted(field: str) -> tuple[str, ...] | None:
    """The list in a field, out of as many layers of CSV quotes as there are; None if it is none."""
    for _ in range(LAYERS):
        answers = parse_answers(field)
        if answers is not None:
            return answers
        inside = field[1:-1] if field[:1] == field[-1:] == '"' else field
        field = inside.replace('""', '"')
    return None
