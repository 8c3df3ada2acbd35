"""Names in any number: combinations of parts, addressed by a permuted ordinal, hence unique.

A supply uses as few of its parts as the world's size asks for, so that names share their parts
(people their surnames, towns their endings) to about the same degree in a small and a large world.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path

from ecqg.microcosm.marked import word_lists
from ecqg.microcosm.permutation import Permutation
from ecqg.seeds import python_rng

_LISTS = word_lists(Path(__file__).with_name("names.yaml"))
WOMEN, MEN, COUNTRIES = _LISTS["women"], _LISTS["men"], _LISTS["countries"]
FEMALE = frozenset(WOMEN)
TOWN_STEMS, TOWN_ENDINGS = _LISTS["town stems"], _LISTS["town endings"]
TOWN_QUALIFIERS = ["", *_LISTS["town qualifiers"]]
TOWN_SUFFIXES = [
    "",
    *(f"{b} {a}" for a, b in product(_LISTS["town suffixes"], _LISTS["before town suffixes"])),
]
COUNTY_MIDDLES = _LISTS["county middles"]
INITIALS = ["", *(f"{letter}." for letter in "ABCDEFGHJKLMNPRSTVW")]


class Supply:
    """Distinct combinations of parts, as many as `needed`, `slack` times over.

    Parts are used from the front of each list. They are taken into use list by list in the order
    of `growth`, each up to its length, until there is room for `needed * slack` combinations.
    """

    def __init__(
        self,
        parts: Sequence[Sequence[str]],
        start: Sequence[int],
        growth: Sequence[int],
        needed: int,
        slack: int,
        seed: int,
        name: str,
    ) -> None:
        sizes = [min(s, len(p)) for s, p in zip(start, parts, strict=True)]
        for place in growth:
            others = prod(sizes) // sizes[place]
            wanted = -(-needed * slack // others)
            sizes[place] = max(sizes[place], min(len(parts[place]), wanted))
        if prod(sizes) < needed:
            raise ValueError(f"{prod(sizes)} combinations for {needed} names ({name})")
        self.parts, self.sizes = parts, sizes
        self._permutation = Permutation(prod(sizes), seed, "names", name)

    def __call__(self, ordinal: int) -> list[str]:
        """The parts of one name."""
        return self.at(self.places(ordinal))

    def places(self, ordinal: int) -> list[int]:
        """Where in the lists of parts a name's parts stand."""
        code = self._permutation(ordinal)
        places = []
        for size in self.sizes:
            code, place = divmod(code, size)
            places.append(place)
        return places

    def ordinal(self, places: Sequence[int]) -> int:
        """The ordinal of the name with these parts; it may exceed the ordinals in use."""
        code = 0
        for size, place in zip(reversed(self.sizes), reversed(places), strict=True):
            code = code * size + place
        return self._permutation.inverse(code)

    def at(self, places: Sequence[int]) -> list[str]:
        """The parts at these places."""
        return [part[place] for part, place in zip(self.parts, places, strict=True)]


def mixed(seed: int, name: str, *lists: Sequence[str]) -> list[str]:
    """All concatenations of one part of each list, in a random but fixed order.

    Those with three equal letters in a row ("Merrrick") are left out.
    """
    joined = {"".join(parts) for parts in product(*lists)}
    combinations = sorted(name for name in joined if not re.search(r"(.)\1\1", name.lower()))
    python_rng(seed, "names", name).shuffle(combinations)
    return combinations


def surnames(seed: int) -> list[str]:
    """Surnames, none of which is a first name too ("Norman"), in a random but fixed order."""
    first = set(first_names())
    combined = mixed(seed, "surnames", _LISTS["surname stems"], _LISTS["surname endings"])
    return [name for name in combined if name not in first]


def first_names() -> list[str]:
    """Women's and men's first names, alternating in a fixed order."""
    return [name for pair in zip(WOMEN, MEN, strict=False) for name in pair]
