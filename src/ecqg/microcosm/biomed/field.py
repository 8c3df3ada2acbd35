"""The invented field: which gene, compound, disease and trial belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecqg.errors import InputError
from ecqg.microcosm.biomed import vocabulary
from ecqg.microcosm.biomed.vocabulary import Name


class Field:
    """`topics` topics, each with a gene, a drug that acts on it, a disease of it, and a trial."""

    def __init__(self, seed: int, topics: int) -> None:
        self.seed, self.topics = seed, topics
        self._names: dict[str, list[Name]] = {
            "gene": vocabulary.genes(seed),
            "drug": vocabulary.drugs(seed),
            "disease": vocabulary.diseases(seed, topics),
            "trial": vocabulary.trials(seed),
        }
        most = min(len(names) for kind, names in self._names.items() if kind != "trial")
        if topics > most:
            raise InputError(
                f"microcosm.biomed has names for {most} topics, not for {topics}",
                file="params.yaml",
                remedy="lower microcosm.biomed.passages",
            )

    def names(self, kind: str) -> Sequence[Name]:
        """The names of a kind that have a topic."""
        return self._names[kind][: self.topics]

    def topic(self, number: int) -> Mapping[str, Name]:
        """A topic's names by kind. In a large field two drugs may be tested in one trial."""
        return {kind: names[number % len(names)] for kind, names in self._names.items()}
