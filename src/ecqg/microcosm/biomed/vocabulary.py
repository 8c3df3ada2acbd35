"""The invented field: its names, and which gene, compound, disease and trial belong together."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import TypeVar

from ecqg.errors import InputError
from ecqg.microcosm.grammar import fill
from ecqg.microcosm.marked import read, word_lists
from ecqg.seeds import python_rng

T = TypeVar("T")

_LISTS = word_lists(Path(__file__).with_name("names.yaml"))
_FORMS = read(Path(__file__).with_name("forms.yaml")).mapping()


def _joined(*lists: str) -> list[str]:
    """All concatenations of one word of each list."""
    return ["".join(parts) for parts in product(*map(_LISTS.__getitem__, lists))]


# Surnames of people who describe diseases.
_EPONYMS = _joined("eponym stems", "eponym endings")


@dataclass(frozen=True, slots=True)
class Name:
    """A thing's name and the other names by which an answer may give it."""

    text: str
    synonyms: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """All names, the usual one first."""
        return (self.text, *self.synonyms)


def genes(seed: int) -> list[Name]:
    """Symbols such as DOPA7 with their product "dorpakin 7", in a random but fixed order."""
    found = [
        Name(f"{(stem[:2] + ending[:2]).upper()}{number}", (f"{stem}{ending} {number}",))
        for stem, ending, number in product(
            _LISTS["gene stems"], _LISTS["gene endings"], range(1, 10)
        )
    ]
    return _shuffled(found, seed, "genes")


def drugs(seed: int) -> list[Name]:
    """Compounds such as "cabretinib" with their code names, "KV-3814"."""
    found = _joined("drug stems", "drug middles", "drug classes")
    names = _shuffled(sorted(set(found)), seed, "drugs")
    rng = python_rng(seed, "biomed", "codes")
    letters = "ABDFGKLMNPRSTVWXZ"
    codes = [f"{a}{b}-{n}" for a, b, n in product(letters, letters, range(100, 1000))]
    chosen = rng.sample(codes, len(names))
    return [Name(name, (code,)) for name, code in zip(names, chosen, strict=True)]


def diseases(seed: int, count: int) -> list[Name]:
    """`count` names such as "juvenile myosclerosis" and "Hjelmberg-Ovard syndrome".

    A synonym is the abbreviation that abstracts use, different for each disease.
    """
    greek = [
        f"{kind} {name}"
        for kind in _LISTS["disease kinds"]
        for name in _joined("disease prefixes", "disease roots", "disease endings")
    ]
    people = _shuffled(_EPONYMS, seed, "eponyms")
    pairs = [f"{a}-{b} {what}" for what in ("syndrome", "disease") for a, b in _neighbours(people)]
    found: list[Name] = []
    used: dict[str, int] = {}
    for name in islice(_alternate(_shuffled(greek, seed, "greek"), pairs), count):
        initials = _initials(name)
        used[initials] = used.get(initials, 0) + 1
        number = "" if used[initials] == 1 else str(used[initials])
        found.append(Name(name, (initials + number,)))
    return found


def trials(seed: int) -> list[Name]:
    """Acronyms such as "ORVELINK-3"."""
    found = [
        Name(f"{name}-{number}")
        for name, number in product(_joined("trial stems", "trial endings"), range(1, 20))
    ]
    return _shuffled(found, seed, "trials")


class Field:
    """`topics` topics, each with a gene, a drug that acts on it, a disease of it, and a trial."""

    def __init__(self, seed: int, topics: int) -> None:
        self.seed, self.topics = seed, topics
        self._names: dict[str, list[Name]] = {
            "gene": genes(seed),
            "drug": drugs(seed),
            "disease": diseases(seed, topics),
            "trial": trials(seed),
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


def _variant(rng: random.Random) -> Name:
    """An exchange of amino acids such as "p.Arg214Trp"."""
    before, after = rng.sample(_LISTS["amino acids"], 2)
    return Name(f"p.{before}{rng.randint(12, 990)}{after}")


def _organism(rng: random.Random) -> Name:
    """An invented species, whose genus may be shortened."""
    genus, species = rng.choice(_LISTS["genera"]), rng.choice(_LISTS["species"])
    return Name(f"{genus} {species}", (f"{genus[0]}. {species}",))


def _form(form: str) -> Callable[[random.Random], Name]:
    def coin(rng: random.Random) -> Name:
        def part(slot: str) -> str:
            low, dots, high = slot.partition("..")
            return str(rng.randint(int(low), int(high))) if dots else rng.choice(_LISTS[slot])

        return Name(fill(form, part, rng))

    return coin


# Names that a finding coins, in the forms that the field gives them.
COINED: Mapping[str, Callable[[random.Random], Name]] = {
    **{name: _form(form.text()) for name, form in _FORMS.items()},
    "variant": _variant,
    "organism": _organism,
    "physician": lambda rng: Name(rng.choice(_EPONYMS)),
}


def _neighbours(people: Sequence[str]) -> list[tuple[str, str]]:
    return [(a, b) for shift in (1, 7) for a, b in zip(people, people[shift:], strict=False)]


def _alternate(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Two of the first list for one of the second, while both last."""
    found: list[str] = []
    for i, name in enumerate(second):
        found += [*first[2 * i : 2 * i + 2], name]
    return [*found, *first[2 * len(second) :]]


def _initials(name: str) -> str:
    """Of three words their first letters; of two, two more from inside the second."""
    parts = name.replace("-", " ").split()
    inside = parts[1][3] + parts[1][6] if len(parts) == 2 else ""
    return ("".join(part[0] for part in parts) + inside).upper()


def _shuffled(items: Sequence[T], seed: int, name: str) -> list[T]:
    return python_rng(seed, "biomed", name).sample(items, len(items))
