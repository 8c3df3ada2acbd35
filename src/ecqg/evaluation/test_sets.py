"""The test sets of a collection: its question files, and the subsets of them that are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import SUBSETS, Question, read_questions
from ecqg.errors import InputError
from ecqg.files import read_as

SUFFIX = ".qa.tsv"
REMEDY = "make it again with 'dvc repro'"
_Known = dict[str, dict[str, list[str]]]  # test set -> subset -> question ids


@dataclass(frozen=True, slots=True)
class TestSet:
    """A test set with its subsets."""

    name: str
    questions: list[Question]
    members: dict[str, NDArray[np.bool_]]  # which questions belong: to NAME all, to NAME_SUBSET ...


def question_files(folder: Path) -> dict[str, Path]:
    """The question files of a collection's folder by test set, in alphabetical order."""
    files = sorted((folder / "questions").glob(f"*{SUFFIX}"))
    return {file.name.removesuffix(SUFFIX): file for file in files}


def read_test_sets(folder: Path, file: Path) -> Iterator[TestSet]:
    """Read the test sets of a collection's folder, and their subsets from `file`.

    That is {"TESTSET": {"SUBSET": [question ids]}}, such as no_answer_overlap. An empty subset is
    left out: an accuracy over no questions says nothing. Raises InputError as `read_questions`
    does, and for subsets of another form.
    """
    known = read_as(file, _Known, "no lists of question ids by test set and subset", REMEDY)
    for name, path in question_files(folder).items():
        questions = read_questions(path)
        members = {name: np.ones(len(questions), np.bool_)}
        there = {question.id for question in questions}
        for subset, ids in known.get(name, {}).items():
            chosen = set(ids)
            if not there.issuperset(chosen) or len(chosen) < len(ids):
                what = f"{subset!r} is no list of the test set's questions, each once"
                raise InputError(what, file=file, remedy=REMEDY)
            if chosen:
                members[f"{name}_{subset}"] = np.array([q.id in chosen for q in questions])
        yield TestSet(name, questions, members)


def split(name: str) -> tuple[str, str]:
    """A test set and its subset, empty where `name` is that of a whole one.

    >>> split("nq_no_answer_overlap"), split("nq")
    (('nq', 'no_answer_overlap'), ('nq', ''))
    """
    for subset in SUBSETS:
        if name.endswith(f"_{subset}"):
            return name.removesuffix(f"_{subset}"), subset
    return name, ""
