"""Figure 1 of the SIGIR paper, several systems on one passage: what it shows, and that as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import ceil, isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ecqg import templates
from ecqg.attention.aggregate import Mention, aggregate, normalise, rank_entities
from ecqg.attention.shading import STYLE, shade
from ecqg.attention.tokens import Choice, TokenAttention, attention_measures
from ecqg.corpus.passages import Passage

if TYPE_CHECKING:
    from pandas import DataFrame

ENOUGH = 5  # distinct entities make a passage worth showing
CLEAR = 0.16  # of the legend's width, from which on the uniform density is clear of 0
ROOM = 8  # characters without another label, from which on one may be wider than its words
WORD = re.compile(r"\w+|[^\w\s]")
Shown = list[tuple[str, str, float | None]]  # what is before a word, the word, its density


class Word(NamedTuple):
    """A run of letters and digits, or a single other character; characters [start, end)."""

    start: int
    end: int
    density: float | None  # mean over its word pieces, 1 is uniform; None beyond the length limit


@dataclass(frozen=True, slots=True)
class Panel:
    """One system's attention on the passage."""

    system: str  # its name as shown
    colour: str
    summary: str  # the passage's measures in words
    words: list[Word]
    entities: dict[str, float]  # density of each distinct entity, by normalised text


class EntityRow(NamedTuple):
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

    def marks(self) -> list[tuple[float, str]]:
        """The densities that the legend names; no 0 where it would lie under the uniform one."""
        ceiling = self.ceiling()
        marks = [(0.0, "0"), (1.0, "1 = uniform"), (ceiling, f"≥ {ceiling:g}")]
        return marks if 1 / ceiling >= CLEAR else marks[1:]

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

    def is_alone(self, mention: Mention) -> bool:
        """Whether the next mention leaves room for a label wider than this one's words."""
        starts = [m.start for m in self.mentions if m.start >= mention.end]
        return min(starts, default=len(self.text)) - mention.end > ROOM

    def groups(self, panel: Panel) -> Iterator[tuple[str, Mention | None, Shown]]:
        """The text in order: what is before a group of words, their mention, if any, and they."""
        end = 0
        for mention, group in groupby(panel.words, self.mention_at):
            words: Shown = []
            for start, stop, density in group:
                words.append((self.text[end:start], self.text[start:stop], density))
                end = stop
            before, first, density = words[0]
            yield before, mention, [("", first, density), *words[1:]]

    def entity_rows(self) -> list[EntityRow]:
        """Distinct entities in the order of their first mentions."""
        names: dict[str, str] = {}
        for mention in self.mentions:
            names.setdefault(normalise(mention.text), mention.text)
        return [
            EntityRow(shown, name in self.selected, [p.entities.get(name) for p in self.panels])
            for name, shown in names.items()
        ]

    def largest_entity(self) -> float:
        """Where an axis of entities' densities ends."""
        return max([1.5, *(d for panel in self.panels for d in panel.entities.values())])

    def html(self) -> str:
        """One HTML file that needs no other."""
        return templates.fill(__file__, escape, heat_map=self, heading=2, shade=shade, **STYLE)


def choose_passage(
    systems: Sequence[DataFrame], entities: Mapping[int, int], questioned: set[str]
) -> int:
    """The row of the passage that stands for the difference between systems.

    `systems` are measured on the same passages (ecqg.attention.per_passage), the reference first.
    Of the passages with ENOUGH distinct entities (`entities` counts them by row) the one where the
    others' mean entropy less the reference's is the median, the lower one of two; ties go by row. A
    single system's entropy stands for itself. Passages that a gold question is about (`questioned`,
    by id) come first if there are any, and where no passage has ENOUGH entities those with the most
    do.
    """
    reference, *others = (system["entropy"].to_numpy() for system in systems)
    sample = systems[0][["id", "row"]].assign(
        difference=np.mean(others, axis=0) - reference if others else reference
    )
    counts = np.array([entities.get(row, 0) for row in sample["row"]])
    eligible = sample[counts >= min(ENOUGH, counts.max())]
    about = eligible[eligible["id"].isin(questioned)]
    ranked = (eligible if about.empty else about).sort_values(["difference", "row"])
    return int(ranked["row"].iloc[(len(ranked) - 1) // 2])


def make_panel(
    system: str,
    colour: str,
    passage: Passage,
    attention: TokenAttention,
    mentions: Sequence[Mention],
    special_tokens: Choice,
    title: Choice,
) -> Panel:
    """What a system, by the name shown, attends to; `mentions` have its own attention."""
    measured = attention_measures(attention, passage.sentence_starts, special_tokens, title)
    ranked = rank_entities(mentions, "mean")
    entities = {normalise(e.lowest.text): e.attention * measured.scale for e in ranked}
    words = word_densities(passage.text, attention, measured.scale)
    summary = f"entropy {measured.entropy:.2f} nats"
    summary += f" · first sentence {measured.first_sentence:.2f} × uniform"
    if not isnan(measured.later_sentences):
        summary += f" · later sentences {measured.later_sentences:.2f} ×"
    return Panel(system, colour, summary, words, entities)


def word_densities(text: str, attention: TokenAttention, scale: float) -> list[Word]:
    """Density of every word of the text, weights times `scale`; punctuation has its own."""
    spans = [match.span() for match in WORD.finditer(text)]
    starts, ends = np.array(spans, np.int32).reshape(-1, 2).T
    words = aggregate(attention, starts, ends)
    densities = (words.means() * scale).tolist()
    return [
        Word(*span, density if pieces else None)
        for span, density, pieces in zip(spans, densities, words.pieces, strict=True)
    ]
