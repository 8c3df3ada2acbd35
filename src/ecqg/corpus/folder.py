"""A data folder's questions and examples, whole and checked (docs/data.md has the formats)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ecqg.corpus.facts import read_test_facts
from ecqg.corpus.gold import Candidate, candidate_reading, dpr_candidates, reading_candidates
from ecqg.corpus.overlap import read_annotations
from ecqg.corpus.questions import Question, read_questions
from ecqg.corpus.reading import ReadingExample, read_reading
from ecqg.errors import InputError

QA = ".qa.tsv"


@dataclass(frozen=True)
class TestSet:
    """A test set's questions.

    `annotations` are the published overlap subsets (subset -> ids) and `facts` the questions' fact
    keys, where the folder has them.
    """

    __test__ = False  # no test case, whatever pytest thinks of the name

    questions: list[Question]
    annotations: dict[str, list[str]] | None
    facts: list[str] | None


@dataclass(frozen=True)
class Split:
    """Training or dev data: candidates for gold pairs, and reading examples.

    `unread` counts the candidates without a reading example, where these are made from those.
    """

    candidates: list[Candidate]
    reading: list[ReadingExample]
    unread: int | None = None


def check_folder(folder: str | Path) -> Path:
    """The folder as a path. Raises InputError where it is none."""
    if not Path(folder).is_dir():
        raise InputError(
            "no such folder",
            file=folder,
            remedy="name a data folder (docs/data.md), or download SQuAD with source squad and the "
            "folder data/raw/squad",
        )
    return Path(folder)


def read_split(folder: str | Path, name: str) -> Split:
    """Gold pairs from NAME.dpr.json, reading examples from reading-NAME.json.

    squad-NAME.json stands in for either; where it is not there, NAME.dpr.json gives both. Raises
    InputError naming file and line where a file is missing or malformed.
    """
    path = check_folder(folder)
    squad, dpr, read = (
        path / file for file in (f"squad-{name}.json", f"{name}.dpr.json", f"reading-{name}.json")
    )
    alone = dpr.is_file() and not squad.is_file()
    examples = [] if alone else read_reading(squad)
    candidates = list(dpr_candidates(dpr)) if dpr.is_file() else reading_candidates(examples)
    if read.is_file():
        return Split(candidates, read_reading(read))
    if not alone:
        return Split(candidates, examples)
    unread = sum(not candidate.spans for candidate in candidates)
    return Split(candidates, list(candidate_reading(candidates)), unread)


def read_test_set(folder: str | Path, file: str) -> TestSet:
    """A test set and what lies beside it. Raises InputError likewise."""
    path = check_folder(folder)
    questions = read_questions(path / file)
    stem = file.removesuffix(QA)
    annotations, facts = (path / f"{stem}{end}" for end in (".overlap.jsonl", ".facts.tsv"))
    return TestSet(
        questions,
        read_annotations(annotations, len(questions)) if annotations.is_file() else None,
        read_test_facts(facts, len(questions)) if facts.is_file() else None,
    )
