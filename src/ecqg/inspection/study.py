"""The systems of the last run, each loaded when it is first asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from ecqg.attention.heatmap import HeatMap
from ecqg.corpus.passages import PASSAGES, Passage, Passages
from ecqg.inspection.asking import Ask
from ecqg.inspection.looks import Look, look
from ecqg.inspection.rankings import Found, Search, ranking
from ecqg.params import AttentionStatistics, Entities
from ecqg.progress import silence


@dataclass
class Study:
    """One collection, the systems that search it, those that have attention, and a generator."""

    collection: Path
    searches: Mapping[str, Callable[[], Search]]  # by system
    looks: Mapping[str, Callable[[], Look]]  # by dense system
    generator: Callable[[], Ask]
    entities: Entities
    statistics: AttentionStatistics
    per_passage: int  # least-attended entities that are marked
    _loaded: dict[tuple[str, str], Any] = field(default_factory=dict)
    _locks: dict[tuple[str, str], Lock] = field(default_factory=lambda: defaultdict(Lock))

    @cached_property
    def passages(self) -> Passages:
        """The collection's."""
        return Passages(self.collection / PASSAGES)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Rows of passages by id."""
        return self.passages.rows_by_id()

    @cached_property
    def _ask(self) -> Ask:
        return self.generator()

    def passage(self, name: str) -> Passage | None:
        """The passage of that id, or None."""
        row = self.rows.get(name)
        return None if row is None else self.passages[row]

    def ranking(
        self, system: str, question: str, depth: int, answers: Sequence[str] = ()
    ) -> list[Found]:
        """What a system finds. Raises KeyError for one that is not there."""
        search = self._load("search", system, self.searches)
        with silence():
            return ranking(search, self.passages, question, depth, answers)

    def look(self, passage: Passage, systems: Sequence[str]) -> HeatMap:
        """Where systems look. Raises KeyError for one that has no attention."""
        found = [self._load("look", system, self.looks) for system in systems]
        with silence():
            return look(passage, found, self.entities, self.statistics, self.per_passage)

    def _load(self, what: str, system: str, makers: Mapping[str, Callable[[], Any]]) -> Any:
        """Once, whoever asks first; the page is served by several threads."""
        key = what, system
        with self._locks[key]:
            if key not in self._loaded:
                self._loaded[key] = makers[system]()
            return self._loaded[key]

    def load_searches(self) -> None:
        """Load what can be chosen beside the systems that `warm_up` was told of."""
        for system in self.searches:
            self._load("search", system, self.searches)

    def warm_up(self, systems: Sequence[str]) -> None:
        """Load what the page needs for its first answer, by one use of each."""
        passage = self.passages[0]
        for system in systems:
            self.ranking(system, passage.text, 1)
        self.look(passage, systems)
        self.ask(passage, 0, min(8, len(passage.text)))

    def ask(self, passage: Passage, start: int, end: int) -> list[tuple[str, str]]:
        """Questions about characters [start, end) of a passage's text, with their answers."""
        with silence():
            return self._ask(passage, (start, end))
