"""A data folder's questions and examples, whole and checked (docs/data.md has the formats)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ecqg.corpus.dpr_examples import Context, read_dpr_examples
from ecqg.corpus.locate import find_answers
from ecqg.corpus.overlap import read_annotations
from ecqg.corpus.questions import IDS, QA, Question, read_ids, read_questions, read_test_facts
from ecqg.corpus.reading import Answer, ReadingExample, read_reading
from ecqg.errors import InputError
from ecqg.seeds import python_rng

T = TypeVar("T")


@dataclass(frozen=True)
class TestSet:
    """A test set's questions.

    `annotations` are the published overlap subsets (subset -> ids), `facts` the questions' fact
    keys and `ids` their ids where they come from, where the folder has them.
    """

    __test__ = False  # no test case, whatever pytest thinks of the name

    questions: list[Question]
    annotations: dict[str, list[str]] | None
    facts: list[str] | None
    ids: list[str] | None = None

    @property
    def names(self) -> list[str]:
        """What judgements call the questions: their ids or, where these are not known, lines."""
        return self.ids or [question.id for question in self.questions]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with the text that answers it, not yet tied to a passage of the collection.

    `spans` say where answers stand in `context`; none where no answer string is found there.
    `title` is the context's. `negative` is a passage in which no answer stands, where one is known.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    context: str
    spans: tuple[Answer, ...]
    title: str = ""
    negative: Context | None = None


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
        remedy = (
            "name a data folder (docs/data.md), or download SQuAD with source squad and the folder "
            "data/raw/squad"
        )
        raise InputError("no such folder", file=folder, remedy=remedy)
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
    ends = (".overlap.jsonl", ".facts.tsv", IDS)
    annotations, facts, ids = (path / f"{stem}{end}" for end in ends)
    return TestSet(
        questions,
        read_annotations(annotations, len(questions)) if annotations.is_file() else None,
        read_test_facts(facts, len(questions)) if facts.is_file() else None,
        read_ids(ids, len(questions)) if ids.is_file() else None,
    )


def reading_candidates(examples: Iterable[ReadingExample]) -> list[Candidate]:
    """The answerable examples."""
    found = []
    for e in examples:
        if e.answers:
            answers = tuple(dict.fromkeys(answer.text for answer in e.answers))
            found.append(Candidate(e.id, e.question, answers, e.context, e.answers))
    return found


def dpr_candidates(path: str | Path) -> Iterator[Candidate]:
    """The examples of a DPR training file, by 0-based number, with their first positive passage.

    An example without positive passages (DPR drops those) gets an empty context. The negative is
    the first hard one in which no answer stands.
    """
    for number, example in enumerate(read_dpr_examples(path)):
        question, answers = example.question, example.answers
        positive = example.positives[0] if example.positives else Context("", "", "")
        spans = find_answers(answers, positive.text)
        without = (c for c in example.hard_negatives if not find_answers(answers, c.text))
        negative = next(without, None)
        name, text, title = str(number), positive.text, positive.title
        yield Candidate(name, question, answers, text, spans, title, negative)


def candidate_reading(candidates: Iterable[Candidate]) -> Iterator[ReadingExample]:
    """What a reader learns from candidates whose answer is found, by their ids.

    Each question on its context, which answers it, then, as ID-negative, on its negative, which
    does not: Natural Questions, as the papers' reader had it, has answerable and unanswerable
    examples (thesis sec. 4.2).
    """
    for c in candidates:
        if c.spans:
            yield ReadingExample(c.id, c.question, c.title, c.context, c.spans)
            if c.negative is not None:
                name, title = f"{c.id}-negative", c.negative.title
                yield ReadingExample(name, c.question, title, c.negative.text, ())


def sample(items: Sequence[T], most: int | None, seed: int, name: str) -> list[T]:
    """At most `most` items, drawn at random from a stream of that name, in their old order."""
    if most is None or most >= len(items):
        return list(items)
    rows = python_rng(seed, "corpus", name).sample(range(len(items)), most)
    return [items[row] for row in sorted(rows)]
