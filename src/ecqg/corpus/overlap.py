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

import reprlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ecqg.corpus.questions import Question
from ecqg.corpus.subsets import LABELS, SUBSETS
from ecqg.corpus.words import content_words, normalize_answer
from ecqg.errors import InputError
from ecqg.files import read_jsonl

JACCARD = 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """What a training question asks: its text, its answers, and its fact key if it has one."""

    text: str
    answers: tuple[str, ...]
    fact: str | None = None


def compute_subsets(
    test: Sequence[Question], train: Iterable[Asked], facts: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """Ids of the test questions in each of SUBSETS, in the order of `test`.

    `facts` maps the ids of test questions to fact keys.
    """
    by_answer: dict[str, list[Asked]] = defaultdict(list)
    for asked in train:
        for answer in dict.fromkeys(map(normalize_answer, asked.answers)):
            by_answer[answer].append(asked)
    subsets: dict[str, list[str]] = {name: [] for name in SUBSETS}
    for question in test:
        answers = dict.fromkeys(map(normalize_answer, question.answers))
        sharing = [asked for answer in answers for asked in by_answer.get(answer, ())]
        if not sharing:
            subsets["no_answer_overlap"].append(question.id)
        fact = facts.get(question.id) if facts else None
        words = _content(question.text) if sharing and fact is None else frozenset()
        if not any(_same_question(fact, words, asked) for asked in sharing):
            subsets["no_question_overlap"].append(question.id)
    return subsets


def read_annotations(path: str | Path, count: int) -> dict[str, list[str]]:
    """SUBSETS from Lewis et al.'s file: {"id": 0-based line, "labels": [...]} a line.

    Only questions that were judged carry the label no_question_overlap. `count` is the number of
    test questions. Raises InputError naming file and line.
    """
    subsets: dict[str, list[str]] = {name: [] for name in SUBSETS}
    remedy = f'write {{"id": 0 to {count - 1}, "labels": ["no_answer_overlap", ...]}} a line'
    seen: set[int] = set()
    for line, record in enumerate(read_jsonl(path, {"id": int, "labels": list}), 1):
        number, labels = record["id"], record["labels"]
        if not 0 <= number < count or number in seen:
            what = f"no annotation of a test question, or a second one of it, with the id {number}"
            raise InputError(what, file=path, line=line, remedy=remedy)
        seen.add(number)
        check_labels(labels, path, line)
        for name in SUBSETS:
            if name in labels:
                subsets[name].append(str(number))
    return subsets


def check_labels(labels: list[Any], path: str | Path, line: int) -> None:
    """Raise InputError where one is none of LABELS."""
    for label in labels:
        if not isinstance(label, str) or label not in LABELS:
            known = f"known: {', '.join(sorted(LABELS))}"
            raise InputError(f"the label {reprlib.repr(label)}", file=path, line=line, remedy=known)


def _same_question(fact: str | None, words: frozenset[str], asked: Asked) -> bool:
    if fact is not None and asked.fact is not None:
        return fact == asked.fact
    other = _content(asked.text)
    return bool(words) and len(words & other) >= JACCARD * len(words | other)


@lru_cache(maxsize=100_000)
def _content(text: str) -> frozenset[str]:
    return frozenset(map(_singular, content_words(text)))


def _singular(word: str) -> str:
    """Cut the plural s (Harman's S-stemmer, its last rule)."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss"))
    return word[:-1] if plural else word
