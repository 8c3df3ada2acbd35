"""A data folder's questions and examples, all read and checked before any is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ecqg.corpus.facts import read_test_facts, read_train_facts
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


class DataFolder:
    """The training folder in the formats of docs/data.md, less its passages.

    Raises InputError naming file and line where a file is missing or malformed.
    """

    def __init__(self, folder: str | Path, test_sets: Mapping[str, str]) -> None:
        self.path = Path(folder)
        if not self.path.is_dir():
            raise InputError(
                "no such folder",
                file=folder,
                remedy="name a data folder (docs/data.md) as corpus.train_set, or download SQuAD "
                "with corpus.source squad and corpus.train_set data/raw/squad",
            )
        self.test_sets = {name: self._test_set(file) for name, file in test_sets.items()}
        self.train, self.dev = self._split("train"), self._split("dev")
        keys = self.path / "train.facts.tsv"
        self.train_facts = read_train_facts(keys) if keys.is_file() else {}

    def _split(self, name: str) -> Split:
        """Gold pairs from NAME.dpr.json, reading examples from reading-NAME.json.

        squad-NAME.json stands in for either; where it is not there, NAME.dpr.json gives both.
        """
        squad, dpr, read = (
            self.path / file
            for file in (f"squad-{name}.json", f"{name}.dpr.json", f"reading-{name}.json")
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

    def _test_set(self, file: str) -> TestSet:
        path = self.path / file
        questions = read_questions(path)
        stem = file.removesuffix(QA)
        annotations, facts = (
            self.path / f"{stem}{end}" for end in (".overlap.jsonl", ".facts.tsv")
        )
        return TestSet(
            questions,
            read_annotations(annotations, len(questions)) if annotations.is_file() else None,
            read_test_facts(facts, len(questions)) if facts.is_file() else None,
        )
