"""Example passages with their entities, questions and scores (SIGIR tabs. 1, 2, AugDPR fig. 1c).

The papers chose one passage by hand. Here a rule chooses: of the passages that have both a gold
question and a conditioned question that passed the filters, a seeded sample is shown, in the order
of the collection.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ecqg import templates
from ecqg.attention.aggregate import EntityAttention, Mention, normalise
from ecqg.attention.sample import sample_rows
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage
from ecqg.corpus.words import content_words, words

GOLD = "gold"  # the kind of questions that people asked; others are of a question set
GOLD_SHOWN = 3  # gold questions of a passage, the first ones
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")
Status = Literal["kept", "filtered out", ""]


@dataclass(frozen=True, slots=True)
class Shown:
    """A question about a passage. What only synthetic questions have is empty for gold ones."""

    kind: str  # GOLD, or a question set
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
    """A passage, the selecting system's attention to its entities, and its questions by kind."""

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

    def pieces(self) -> Iterator[tuple[str, Mention | None, float | None, bool]]:
        """The text in order: what is before a mention, the mention, the density of its entity (as
        the study ranks entities, not mentions), and whether questions were conditioned on that.
        """
        chosen = {normalise(q.entity) for q in self.questions if q.entity}
        densities = {normalise(name): density for name, density in self.entity_densities()}
        text, end = self.passage.text, 0
        for mention in self.mentions:
            if mention.start >= end:
                name = normalise(mention.text)
                yield text[end : mention.start], mention, densities.get(name), name in chosen
                end = mention.end
        yield text[end:], None, None, False


def choose_rows(surviving: set[int], asked: set[int], size: int, seed: int) -> list[int]:
    """The rows of the passages to show, sorted; fewer than `size` where fewer are eligible.

    `surviving` are the passages with a conditioned question that passed the filters, `asked` those
    with gold questions. Without any of both there are none.
    """
    eligible = sorted(surviving & asked)
    return [eligible[i] for i in sample_rows(len(eligible), size, seed, "examples")]


def gold_questions(examples: Iterable[Example], rows: set[int]) -> dict[int, list[Shown]]:
    """The first GOLD_SHOWN gold questions of each of the passages `rows`, by row."""
    found: dict[int, list[Shown]] = {}
    for example in examples:
        row = example.positives[0]
        if row in rows:
            shown = Shown(GOLD, example.question, example.answers[0])
            found.setdefault(row, []).append(shown)
    return {row: questions[:GOLD_SHOWN] for row, questions in found.items()}


def synthetic_questions(
    name: str,
    records: Iterable[tuple[dict[str, Any], ...]],
    kept: set[str],
    rows: set[int],
) -> dict[int, list[Shown]]:
    """All questions of a question set about the passages `rows`, by row.

    `records` are generated ones with what the reader says of them, `kept` the ids of those that
    passed the filters.
    """
    found: dict[int, list[Shown]] = {}
    for made, read in records:
        if made["row"] in rows:
            status: Status = "kept" if made["id"] in kept else "filtered out"
            entity, said = made.get("entity") or "", (read["answer"], read["confidence"])
            shown = Shown(name, made["question"], made["answer"], entity, *said, status)
            found.setdefault(made["row"], []).append(shown)
    return found


def mean_scores(examples: Sequence[PassageExample]) -> dict[str, dict[str, float]]:
    """{SYSTEM: {KIND: mean score}} over the questions shown; kinds without questions are absent."""
    means: dict[str, dict[str, list[float]]] = {}
    for question in (question for example in examples for question in example.questions):
        for system, score in question.scores.items():
            means.setdefault(system, {}).setdefault(question.kind, []).append(score)
    return {
        system: {kind: float(np.mean(scores)) for kind, scores in of.items()}
        for system, of in means.items()
    }


def _per_piece(mentions: Sequence[Mention]) -> float:
    return sum(m.total for m in mentions) / sum(m.pieces for m in mentions)


def examples_markdown(examples: Sequence[PassageExample], systems: Mapping[str, str]) -> str:
    """The page for a code host; `systems` maps those whose scores are shown to their names."""
    return templates.fill(__file__, escape, examples=examples, systems=systems)


def escape(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> print(escape("a*b |\nc"))
    a\*b \| c
    """
    return re.sub(r"\s+", " ", _SPECIAL.sub(r"\\\1", text))
