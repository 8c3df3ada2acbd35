"""The invented names of the far domain: genes, compounds, diseases, trials and what studies use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import TypeVar

from ecqg.microcosm.marked import word_lists
from ecqg.seeds import python_rng

T = TypeVar("T")

_LISTS = word_lists(Path(__file__).with_name("names.yaml"))
GENERA, SPECIES, ACIDS = _LISTS["genera"], _LISTS["species"], _LISTS["amino acids"]


def _joined(*lists: str) -> list[str]:
    """All concatenations of one word of each list."""
    return ["".join(parts) for parts in product(*map(_LISTS.__getitem__, lists))]


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
    people = _shuffled(eponyms(), seed, "eponyms")
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


@cache
def eponyms() -> list[str]:
    """Surnames of people who describe diseases."""
    return _joined("eponym stems", "eponym endings")


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
