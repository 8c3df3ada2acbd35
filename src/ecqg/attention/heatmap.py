"""What a heat map shows: figure 1 of the SIGIR paper, several systems on one passage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isnan
from typing import Literal

import numpy as np

from ecqg.attention.aggregate import Mention, aggregate, normalise, rank_entities
from ecqg.attention.distribution import AttentionMeasures, Distribution
from ecqg.attention.per_passage import PerPassage
from ecqg.attention.tokens import TokenAttention

ENOUGH = 5  # distinct entities make a passage worth showing
WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters and digits, or a single other character; characters [start, end)."""

    start: int
    end: int
    density: float | None  # mean over its word pieces, 1 is uniform; None beyond the length limit


@dataclass(frozen=True, slots=True)
class Panel:
    """One system's attention on the passage."""

    system: str  # its name as shown
    colour: str
    measured: AttentionMeasures
    words: list[Word]
    entities: dict[str, float]  # density of each distinct entity, by normalised text

    def summary(self) -> str:
        """The passage's measures in words."""
        shown = f"entropy {self.measured.entropy:.2f} nats"
        shown += f" · first sentence {self.measured.first_sentence:.2f} × uniform"
        if not isnan(self.measured.later_sentences):
            shown += f" · later sentences {self.measured.later_sentences:.2f} ×"
        return shown


@dataclass(frozen=True, slots=True)
class EntityRow:
    """A distinct entity under each system; None where it is beyond the length limit."""

    name: str
    selected: bool
    densities: list[float | None]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A passage under several systems, the reference first."""

    title: str
    text: str
    mentions: list[Mention]  # sorted by start
    selected: set[str]  # normalised texts of the entities selected for generation
    selector: str  # the name of the system that attends to these least, whether shown or not
    questions: list[tuple[str, str]]  # gold questions about the passage, each with an answer
    panels: list[Panel]

    def shown_title(self) -> str:
        """The title, or words that say that there is none."""
        return self.title or "A passage without title"

    def ceiling(self) -> float:
        """The density from which on the colour is full, the same for all systems.

        At least 2, else the 98th percentile of all words, so that a single word that draws most
        of the attention does not make all others look alike.
        """
        densities = [w.density for p in self.panels for w in p.words if w.density is not None]
        return max(2.0, ceil(2 * float(np.quantile(densities, 0.98))) / 2)

    def mention_at(self, word: Word) -> Mention | None:
        """The mention that the word belongs to."""
        return next((m for m in self.mentions if m.start < word.end and word.start < m.end), None)

    def is_selected(self, mention: Mention) -> bool:
        """Whether it is a mention of one of the selected entities."""
        return normalise(mention.text) in self.selected

    def what_is_selected(self) -> str:
        """The selected entities in words, which name the selector where it is not the first."""
        by = "" if self.selector == self.panels[0].system else f" ({self.selector})"
        return f"the least attended ones{by}"

    def room_after(self, mention: Mention) -> int:
        """Characters between the mention and the next one."""
        starts = [m.start for m in self.mentions if m.start >= mention.end]
        return min(starts, default=len(self.text)) - mention.end

    def chunks(self, panel: Panel) -> list[list[Word]]:
        """The words in order; those without white space between them are together."""
        chunks: list[list[Word]] = []
        for word in panel.words:
            if chunks and chunks[-1][-1].end == word.start:
                chunks[-1].append(word)
            else:
                chunks.append([word])
        return chunks

    def entity_rows(self) -> list[EntityRow]:
        """Distinct entities in the order of their first mentions."""
        names = {normalise(m.text): m.text for m in reversed(self.mentions)}
        return [
            EntityRow(names[n], n in self.selected, [p.entities.get(n) for p in self.panels])
            for n in dict.fromkeys(normalise(m.text) for m in self.mentions)
        ]

    def largest_entity(self) -> float:
        """Where an axis of entities' densities ends."""
        return max([1.5, *(d for panel in self.panels for d in panel.entities.values())])


def choose_passage(
    systems: Sequence[PerPassage], entities: Mapping[int, int], questioned: set[str]
) -> int:
    """The row of the passage that stands for the difference between systems.

    `systems` are measured on the same passages, the reference first. Of the passages with ENOUGH
    distinct entities (`entities` counts them by row) the one where the others' mean entropy less
    the reference's is the median, the lower one of two; ties go by row. A single system's entropy
    stands for itself. Passages that a gold question is about (`questioned`, by id) come first if
    there are any, and where no passage has ENOUGH entities those with the most do.
    """
    base = systems[0]
    reference, *others = (system.values["entropy"] for system in systems)
    differences = np.mean(others, axis=0) - reference if others else reference
    enough = min(ENOUGH, max(entities.get(row, 0) for row in base.rows))
    sample = zip(differences.tolist(), base.rows, base.ids, strict=True)
    found = [(d, row, name in questioned) for d, row, name in sample]
    found = [f for f in found if entities.get(f[1], 0) >= enough]
    ranked = sorted((d, row) for d, row, asked in found if asked) or sorted(f[:2] for f in found)
    return ranked[(len(ranked) - 1) // 2][1]


def word_densities(text: str, attention: TokenAttention, spread: Distribution) -> list[Word]:
    """Density of every word of the text; punctuation has its own."""
    spans = [match.span() for match in WORD.finditer(text)]
    starts, ends = np.array(spans, np.int32).reshape(-1, 2).T
    found = aggregate(attention, starts, ends)
    densities = (found.means() * spread.scale).tolist()
    return [
        Word(start, end, density if pieces else None)
        for (start, end), density, pieces in zip(spans, densities, found.pieces, strict=True)
    ]


def entity_densities(mentions: Sequence[Mention], spread: Distribution) -> dict[str, float]:
    """Density of each distinct entity that the encoder sees, by normalised text."""
    ranked = rank_entities(mentions, "mean")
    return {normalise(e.lowest.text): e.attention * spread.scale for e in ranked}


def lowest_entities(
    mentions: Sequence[Mention], lowest: int, by: Literal["sum", "mean"]
) -> set[str]:
    """Normalised texts of the `lowest` least attended entities, as the study selects them."""
    return {normalise(e.lowest.text) for e in rank_entities(mentions, by)[:lowest]}
