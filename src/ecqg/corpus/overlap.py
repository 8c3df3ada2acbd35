"""Test questions that training does not give away: the subsets of Lewis et al. 2020.

"Question and Answer Test-Train Overlap in Open-Domain Question Answering Datasets" (thesis sec.
4.4.1, SIGIR tab. 3) reports systems on the test questions without *answer overlap* and without
*question overlap* with the training questions.

Answer overlap is computed as they do: a test question has it if one of its answers equals an
answer of some training question, both normalised as SQuAD's evaluation normalises.

Question overlap was judged by people: for 1,000 test questions they looked at the training
questions that share an answer and marked those that ask the same thing; in four of five the two
differ in a word or two. Here a test question has it if some training question shares an answer
and, in this order,
- has the same fact key, where the data folder carries fact keys (generated data does: exact);
- otherwise asks with nearly the same content words: the Jaccard similarity of the two sets is at
  least 0.5 (one word of three replaced). Content words are those that are no stop words, in lower
  case, the plural s cut off.
A test question without content words has no question overlap by the second rule. That rule is
cautious. Against the fact keys of generated data, whose repeated questions are reworded on purpose,
it finds a third of them, and nine in ten of those it finds are right; of SQuAD's 5,388 test
questions, on other articles than training, it finds one.

Where the published annotations lie in the data folder, they are taken instead: see
`read_annotations`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from ecqg.corpus.normal_form import normalize_answer
from ecqg.corpus.questions import SUBSETS, Question, Subset
from ecqg.corpus.records import lines
from ecqg.corpus.words import content_words
from ecqg.errors import InputError

JACCARD = 0.5
Label = Literal[Subset, "total", "question_overlap", "answer_overlap", "answer_overlap_only"]


@dataclass(frozen=True, slots=True)
class TrainQuestion:
    """A training question with its answers, and its fact key if it has one."""

    text: str
    answers: tuple[str, ...]
    fact: str | None = None


def compute_subsets(
    test: Sequence[Question], train: Iterable[TrainQuestion], facts: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """Ids of the test questions in each of SUBSETS, in the order of `test`.

    Those without answers are in none: what overlaps is defined by answers. `facts` maps the ids of
    test questions to fact keys.
    """
    by_answer: dict[str, list[TrainQuestion]] = defaultdict(list)
    for other in train:
        for answer in dict.fromkeys(map(normalize_answer, other.answers)):
            by_answer[answer].append(other)
    subsets: dict[str, list[str]] = {name: [] for name in SUBSETS}
    for question in filter(lambda question: question.answers, test):
        answers = dict.fromkeys(map(normalize_answer, question.answers))
        sharing = [other for answer in answers for other in by_answer.get(answer, ())]
        if not sharing:
            subsets["no_answer_overlap"].append(question.id)
        fact = facts.get(question.id) if facts else None
        words = _content(question.text) if sharing and fact is None else frozenset()
        if not any(_same_question(fact, words, other) for other in sharing):
            subsets["no_question_overlap"].append(question.id)
    return subsets


class Annotation(Struct):
    """What people found of the test question on line `id` from 0 on."""

    id: int
    labels: list[Label]


def check_annotations(path: str | Path, count: int) -> Iterator[Annotation]:
    """Lewis et al.'s file, {"id": 0, "labels": [...]} a line; `count` is that of test questions.

    Raises InputError naming file and line.
    """
    seen: set[int] = set()
    remedy = f'write {{"id": 0 to {count - 1}, "labels": [{", ".join(get_args(Label))}]}} a line'
    for line, found in lines(path, Annotation, remedy):
        if not 0 <= found.id < count or found.id in seen:
            what = f"the id {found.id}, among {count} questions, or for the second time"
            raise InputError(what, file=path, line=line, remedy=remedy)
        seen.add(found.id)
        yield found


def read_annotations(path: str | Path, count: int) -> dict[str, list[str]]:
    """SUBSETS from Lewis et al.'s file; only questions that were judged are in the second one.

    Raises InputError as `check_annotations`.
    """
    found = list(check_annotations(path, count))
    return {name: [str(a.id) for a in found if name in a.labels] for name in SUBSETS}


def _same_question(fact: str | None, words: frozenset[str], other: TrainQuestion) -> bool:
    if fact is not None and other.fact is not None:
        return fact == other.fact
    theirs = _content(other.text)
    return bool(words) and len(words & theirs) >= JACCARD * len(words | theirs)


@lru_cache(maxsize=100_000)
def _content(text: str) -> frozenset[str]:
    """Content words, the plural s cut off (Harman's S-stemmer, its last rule)."""
    return frozenset(
        w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith(("us", "ss")) else w
        for w in content_words(text)
    )
