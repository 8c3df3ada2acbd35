"""Fact keys of generated questions: two questions with the same key ask the same thing."""

from __future__ import annotations

from pathlib import Path

from ecqg.corpus.lines import numbered_lines
from ecqg.errors import InputError


def read_train_facts(path: str | Path) -> dict[str, str]:
    """Fact keys by question id, from `id<TAB>key` lines.

    Raises InputError naming file and line, also of an id that stands twice.
    """
    facts: dict[str, str] = {}
    for number, line in numbered_lines(path, ended=True):
        name, tab, key = line.partition("\t")
        if not (name and tab and key):
            remedy = "write question id<TAB>fact key"
            raise InputError("no fact key", file=path, line=number, remedy=remedy)
        if name in facts:
            what = f"the id {name!r} for the second time"
            raise InputError(what, file=path, line=number, remedy="ids must be unique")
        facts[name] = key
    return facts


def read_test_facts(path: str | Path, questions: int) -> list[str]:
    """The fact keys of a qa file's questions, one a line.

    Raises InputError naming file and line for an empty key or another number of lines.
    """
    facts: list[str] = []
    for number, line in numbered_lines(path, ended=True):
        if not line:
            remedy = "write the fact key of the question on the same line of the qa file"
            raise InputError("no fact key", file=path, line=number, remedy=remedy)
        facts.append(line)
    if len(facts) != questions:
        what = f"{len(facts)} fact keys for {questions} questions"
        raise InputError(what, file=path, remedy="write one a line, aligned with the qa file")
    return facts
