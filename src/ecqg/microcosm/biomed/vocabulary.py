"""The invented field: its names, and which gene, compound, disease and trial belong together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
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
    parts = product(_LISTS["gene stems"], _LISTS["gene endings"], range(1, 10))
    names = [Name(f"{a[:2]}{b[:2]}{n}".upper(), (f"{a}{b} {n}",)) for a, b, n in parts]
    return _shuffled(names, seed, "genes")


def drugs(seed: int) -> list[Name]:
    """Compounds such as "cabretinib" with their code names, "KV-3814"."""
    compounds = sorted(set(_joined("drug stems", "drug middles", "drug classes")))
    names = _shuffled(compounds, seed, "drugs")
    rng = python_rng(seed, "biomed", "codes")
    letters = "ABDFGKLMNPRSTVWXZ"
    codes = [f"{a}{b}-{n}" for a, b, n in product(letters, letters, range(100, 1000))]
    chosen = rng.sample(codes, len(names))
    return [Name(name, (code,)) for name, code in zip(names, chosen, strict=True)]


def diseases(seed: int, count: int) -> list[Name]:
    """`count` names such as "juvenile myosclerosis" and "Hjelmberg-Ovard syndrome".

    A synonym is the abbreviation that abstracts use, different for each disease. Two names are
    Greek for each that is of two people, while both last.
    """
    roots = _joined("disease prefixes", "disease roots", "disease endings")
    greek = [f"{kind} {name}" for kind, name in product(_LISTS["disease kinds"], roots)]
    greek = _shuffled(greek, seed, "greek")
    people = _shuffled(_EPONYMS, seed, "eponyms")
    pairs = [
        f"{a}-{b} {what}"
        for what in ("syndrome", "disease")
        for shift in (1, 7)
        for a, b in zip(people, people[shift:], strict=False)
    ]
    mixed = [name for i, pair in enumerate(pairs) for name in (*greek[2 * i : 2 * i + 2], pair)]
    names: list[Name] = []
    used = Counter[str]()
    for name in [*mixed, *greek[2 * len(pairs) :]][:count]:
        # Of three words the first letters; of two, two more from inside the second.
        parts = name.replace("-", " ").split()
        inside = parts[1][3] + parts[1][6] if len(parts) == 2 else ""
        initials = ("".join(part[0] for part in parts) + inside).upper()
        used[initials] += 1
        number = "" if used[initials] == 1 else str(used[initials])
        names.append(Name(name, (initials + number,)))
    return names


def trials(seed: int) -> list[Name]:
    """Acronyms such as "ORVELINK-3"."""
    parts = product(_joined("trial stems", "trial endings"), range(1, 20))
    return _shuffled([Name(f"{name}-{number}") for name, number in parts], seed, "trials")


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


def form(template: str) -> Callable[[random.Random], Name]:
    """A way to coin names: a template whose slots are numbers ({2..96}, {1.4..3.9}) and lists."""

    def part(slot: str, rng: random.Random) -> str:
        low, dots, high = slot.partition("..")
        if not dots:
            return rng.choice(_LISTS[slot])
        if "." in low:
            return str(rng.randint(int(low.replace(".", "")), int(high.replace(".", ""))) / 10)
        return str(rng.randint(int(low), int(high)))

    return lambda rng: Name(fill(template, lambda slot: part(slot, rng), rng))


# Names that a finding coins, in the forms that the field gives them.
COINED: Mapping[str, Callable[[random.Random], Name]] = {
    **{name: form(template.text()) for name, template in _FORMS.items()},
    "variant": _variant,
    "organism": _organism,
    "physician": lambda rng: Name(rng.choice(_EPONYMS)),
}


def _shuffled(items: Sequence[T], seed: int, name: str) -> list[T]:
    return python_rng(seed, "biomed", name).sample(items, len(items))
