"""Where in a passage the entities lie that are attended most and least (SIGIR sec. 1).

Published for DPR over 20k Wikipedia passages: the highest-attended entity lies in the first half
of the passage in 65 % of cases, the lowest-attended in the second half in 60 %. What these shares
say depends on where entities lie at all, so all entities are counted too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ecqg.attention.aggregate import EntityAttention, Mention
from ecqg.corpus.passages import Passage
from ecqg.tables import write_table

BINS = 10
HISTOGRAM = ("which", "position", "share")


class Halves(NamedTuple):
    """In which half of a passage its entities lie, as the papers say it."""

    highest_first_half: bool
    lowest_second_half: bool


class Places:
    """Counts of mentions by where their middles lie: 0 is a passage's begin, 1 its end."""

    def __init__(self) -> None:
        self.bins = [0] * BINS
        self.sentences = 0  # the sum of their numbers, the first being 1

    def add(self, passage: Passage, mention: Mention) -> bool:
        """Note where a mention lies, and say whether that is in the first half."""
        place = min(int((mention.start + mention.end) / 2 / len(passage.text) * BINS), BINS - 1)
        self.bins[place] += 1
        self.sentences += passage.sentence_at(mention.start) + 1
        return place < BINS // 2

    def first_half(self) -> float:
        """Percentage of the mentions that lie in the first half."""
        return 100 * sum(self.bins[: BINS // 2]) / max(1, sum(self.bins))

    def mean_sentence(self) -> float:
        """Mean number of the sentence."""
        return self.sentences / max(1, sum(self.bins))


class EntityPositions:
    """Places of the highest-attended, the lowest-attended and all entities of passages."""

    def __init__(self) -> None:
        self.passages = 0  # that have at least two entities: with one, highest is lowest
        self.places = {which: Places() for which in ("highest", "lowest", "all")}

    def add(self, passage: Passage, ranked: Sequence[EntityAttention]) -> Halves | None:
        """Note a passage's entities, the least attended first.

        The highest-attended entity lies at its most attended mention, every other at its least
        attended one.
        """
        if len(ranked) < 2:
            return None
        self.passages += 1
        highest = self.places["highest"].add(passage, ranked[-1].highest)
        lowest = self.places["lowest"].add(passage, ranked[0].lowest)
        for entity in ranked:
            self.places["all"].add(passage, entity.lowest)
        return Halves(highest, not lowest)

    def summary(self) -> dict[str, float]:
        """Percentages by half, and mean sentence numbers."""
        first_half = {which: places.first_half() for which, places in self.places.items()}
        return {
            "ranked_passages": self.passages,
            "highest_first_half": first_half["highest"],
            "lowest_second_half": 100 - first_half["lowest"],
            "all_first_half": first_half["all"],
            **{f"{w}_mean_sentence": places.mean_sentence() for w, places in self.places.items()},
        }

    def write_histogram(self, path: str | Path) -> None:
        """Write CSV: which (highest, lowest, all), position (middle of a bin), share (percent)."""
        rows = (
            [which, f"{(i + 0.5) / BINS:.2f}", f"{100 * count / max(1, sum(places.bins)):.4f}"]
            for which, places in self.places.items()
            for i, count in enumerate(places.bins)
        )
        write_table(path, HISTOGRAM, rows)
