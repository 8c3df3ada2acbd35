"""Names in any number: combinations of parts, addressed by a permuted ordinal, hence unique.

Permutations are keyed and can be inverted without a table. They let an article pick others, and be
found by them, without any list of articles: the memory a world takes does not grow with its size.

A supply uses as few of its parts as the world's size asks for, so that names share their parts
(people their surnames, towns their endings) to about the same degree in a small and a large world.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import gcd, prod
from pathlib import Path

from ecqg.microcosm.marked import word_lists
from ecqg.seeds import python_rng

_LISTS = word_lists(Path(__file__).with_name("names.yaml"))
COUNTRIES, FEMALE = _LISTS["countries"], frozenset(_LISTS["women"])
FIRST_NAMES = [name for pair in zip(_LISTS["women"], _LISTS["men"], strict=False) for name in pair]
INITIALS = ["", *(f"{letter}." for letter in "ABCDEFGHJKLMNPRSTVW")]
TOWN_QUALIFIERS = ["", *_LISTS["town qualifiers"]]
TOWN_SUFFIXES = [
    "",
    *(f"{b} {a}" for a, b in product(_LISTS["town suffixes"], _LISTS["before town suffixes"])),
]


class Permutation:
    """x -> (a * x + b) mod n with random a, coprime to n, and b: cheap, exact, invertible."""

    def __init__(self, n: int, seed: int, *names: object) -> None:
        if n < 1:
            raise ValueError(f"a permutation of {n} things")
        rng = python_rng(seed, "permutation", n, *names)
        a = rng.randrange(1, n) if n > 1 else 1
        while gcd(a, n) != 1:
            a = a % n + 1
        self.n, self._a, self._b = n, a, rng.randrange(n)
        self._inverse = pow(a, -1, n)

    def __call__(self, x: int) -> int:
        """The image of x."""
        return (self._a * x + self._b) % self.n

    def inverse(self, y: int) -> int:
        """The x whose image is y."""
        return (y - self._b) * self._inverse % self.n


class Link:
    """A many-to-one relation from `sources` things to `targets` things, readable both ways."""

    def __init__(self, sources: int, targets: int, seed: int, *names: object) -> None:
        self.sources, self.targets = sources, targets
        self._permutation = Permutation(sources, seed, "link", *names)

    def target(self, source: int) -> int:
        """The one target of a source."""
        return self._permutation(source) % self.targets

    def inverse(self, target: int) -> list[int]:
        """Every source of a target."""
        images = range(target, self.sources, self.targets)
        return [self._permutation.inverse(image) for image in images]


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
        places = self.places(ordinal)
        return [part[place] for part, place in zip(self.parts, places, strict=True)]

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


def mixed(seed: int, name: str, *lists: str) -> list[str]:
    """All concatenations of one part of each list of names.yaml, in a random but fixed order.

    Those with three equal letters in a row ("Merrrick") are left out.
    """
    joined = {"".join(parts) for parts in product(*map(_LISTS.__getitem__, lists))}
    combinations = sorted(name for name in joined if not re.search(r"(.)\1\1", name.lower()))
    python_rng(seed, "names", name).shuffle(combinations)
    return combinations


def surnames(seed: int) -> list[str]:
    """Surnames, none of which is a first name too ("Norman"), in a random but fixed order."""
    first = set(FIRST_NAMES)
    combined = mixed(seed, "surnames", "surname stems", "surname endings")
    return [name for name in combined if name not in first]
