"""The test sets of a collection: its question files, and the subsets of them that are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import Question, read_questions
from ecqg.files import read_json
from ecqg.paths import MAIN, SUPERVISED, supervised_set

SUFFIX = ".qa.tsv"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A test set with its subsets."""

    name: str
    questions: list[Question]
    members: dict[str, NDArray[np.bool_]]  # which questions belong: to NAME all, to NAME_SUBSET ...


def question_files(folder: Path) -> dict[str, Path]:
    """The question files of a collection's folder by test set, in alphabetical order."""
    files = sorted((folder / "questions").glob(f"*{SUFFIX}"))
    return {file.name.removesuffix(SUFFIX): file for file in files}


def read_test_sets(folder: Path) -> Iterator[QuestionSet]:
    """Read the test sets of a collection's folder.

    subsets.json is {"TESTSET": {"SUBSET": [question ids]}}, such as no_answer_overlap, and may be
    absent. An empty subset is left out: an accuracy over no questions says nothing.
    """
    file = folder / "subsets.json"
    known = read_json(file) if file.is_file() else {}
    for name, path in question_files(folder).items():
        questions = read_questions(path)
        members = {name: np.ones(len(questions), np.bool_)}
        for subset, ids in known.get(name, {}).items():
            chosen = set(ids)
            if chosen:
                members[f"{name}_{subset}"] = np.array([q.id in chosen for q in questions])
        yield QuestionSet(name, questions, members)


def tried(system: str, test_set: str) -> bool:
    """Whether a system is tried on a test set: a supervised one only on its own."""
    return supervised_set(system) in (None, test_set)


def label(test_set: str, collection: str) -> str:
    """What a test set is called where those of several collections stand together.

    One of the main collection by its name, a zero-shot set by its collection's, and where that
    has several COLLECTION/TESTSET.
    """
    if collection in (MAIN, SUPERVISED):
        return test_set
    return collection if test_set == collection else f"{collection}/{test_set}"
