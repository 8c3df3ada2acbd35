"""Example passages with their entities, questions and scores (SIGIR tabs. 1, 2, AugDPR fig. 1c).

The papers chose one passage by hand. Here a rule chooses: of the passages that have both a gold
question and a conditioned question that passed the filters, a seeded sample is shown, in the order
of the collection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ecqg.attention.aggregate import EntityAttention, Mention, normalise
from ecqg.attention.sample import sample_rows
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage
from ecqg.corpus.words import content_words, words

GOLD = "gold"
ANSWER_SENTENCE = "answer-sentence"
KINDS = (GOLD, "unconditioned", "conditioned", ANSWER_SENTENCE)
GOLD_SHOWN = 3  # gold questions of a passage, the first ones
Status = Literal["kept", "filtered out", ""]


@dataclass(frozen=True, slots=True)
class Shown:
    """A question about a passage. What only synthetic questions have is empty for gold ones."""

    kind: str  # one of KINDS
    question: str
    answer: str
    entity: str = ""  # that the question was conditioned on
    read_answer: str = ""  # by the reader of the round trip
    confidence: float | None = None  # its calibrated probability to be right
    status: Status = ""
    scores: dict[str, float] = field(default_factory=dict)  # by system, filled in when known

    def marked(self, passage: Passage) -> Iterator[tuple[str, bool]]:
        """The question's words by white space, and whether the passage has them.

        As in table 1, stop words are never marked; a word of several parts is marked if all its
        parts that are no stop words stand in the passage.
        """
        held = frozenset(words(passage.text))
        for word in self.question.split():
            parts = content_words(word)
            yield word, bool(parts) and parts <= held


@dataclass(frozen=True, slots=True)
class PassageExample:
    """A passage, the baseline's attention to its entities, and its questions by kind."""

    passage: Passage
    mentions: list[Mention]  # sorted by start
    ranked: list[EntityAttention]  # distinct entities, the least attended first
    questions: list[Shown]

    def entity_densities(self) -> list[tuple[str, float]]:
        """Distinct entities, the least attended first, with their density.

        It is the attention per word piece of all mentions of the entity over that of all mentions
        of the passage: 1 is an average entity. Mentions that the encoder does not see whole do
        not count, nor do entities without any other.
        """
        seen = [m for m in self.mentions if m.pieces]
        found = []
        for entity in self.ranked:
            name = normalise(entity.lowest.text)
            same = [m for m in seen if normalise(m.text) == name]
            found.append((entity.lowest.text, _per_piece(same) / _per_piece(seen)))
        return found

    def conditioned(self) -> set[str]:
        """Normalised names of the entities that questions were conditioned on."""
        return {normalise(q.entity) for q in self.questions if q.entity}


def choose_rows(
    surviving: Mapping[str, int], asked: Iterable[str], size: int, seed: int
) -> list[int]:
    """The rows of the passages to show, sorted; fewer than `size` where fewer are eligible.

    `surviving` gives row by id of the passages with a conditioned question that passed the
    filters, `asked` names passages with gold questions. Without any of both there are none.
    """
    eligible = sorted({surviving[name] for name in asked if name in surviving})
    return [eligible[i] for i in sample_rows(len(eligible), size, seed, "examples")]


def gold_questions(examples: Iterable[Example], names: set[str]) -> dict[str, list[Shown]]:
    """The first GOLD_SHOWN gold questions of each of the passages `names`, by passage id."""
    found: dict[str, list[Shown]] = {}
    for example in examples:
        for context in example.positives[:1]:
            if context.passage_id in names:
                found.setdefault(context.passage_id, []).append(
                    Shown(GOLD, example.question, example.answers[0])
                )
    return {name: questions[:GOLD_SHOWN] for name, questions in found.items()}


def synthetic_questions(
    kind: str,
    rows: Iterable[tuple[dict[str, Any], ...]],
    kept: set[str],
    names: set[str],
) -> dict[str, list[Shown]]:
    """All synthetic questions of a kind about the passages `names`, by passage id.

    `rows` are generated records with what the reader says of them, `kept` the ids of those that
    passed the filters.
    """
    found: dict[str, list[Shown]] = {}
    for made, read in rows:
        if made["passage_id"] in names:
            found.setdefault(made["passage_id"], []).append(
                Shown(
                    kind,
                    made["question"],
                    made["answer"],
                    made.get("entity") or "",
                    read["answer"],
                    read["confidence"],
                    "kept" if made["id"] in kept else "filtered out",
                )
            )
    return found


def answer_sentence_questions(
    made: Iterable[dict[str, Any]], names: set[str]
) -> dict[str, list[Shown]]:
    """AugDPR's questions about the passages `names`, which no reader answers and no filter sees."""
    found: dict[str, list[Shown]] = {}
    for record in made:
        if record["passage_id"] in names:
            shown = Shown(ANSWER_SENTENCE, record["question"], record["answer"])
            found.setdefault(record["passage_id"], []).append(shown)
    return found


def mean_scores(examples: Sequence[PassageExample]) -> dict[str, dict[str, float]]:
    """{SYSTEM: {KIND: mean score}} over the questions shown; kinds without questions are absent."""
    shown = [question for example in examples for question in example.questions]
    systems = list(dict.fromkeys(system for question in shown for system in question.scores))
    means: dict[str, dict[str, float]] = {}
    for system in systems:
        for kind in KINDS:
            scores = [question.scores[system] for question in shown if question.kind == kind]
            if scores:
                means.setdefault(system, {})[kind] = float(np.mean(scores))
    return means


def _per_piece(mentions: Sequence[Mention]) -> float:
    return sum(m.total for m in mentions) / sum(m.pieces for m in mentions)
