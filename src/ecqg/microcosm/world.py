"""The world behind the articles: how many things there are, their names, and how they relate.

Nothing is stored. An article is known by its family and ordinal; its name, attributes and
relations are functions of these and the seed, so that any article can be written by itself and a
world of a million passages takes no more memory than one of a hundred.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from ecqg.microcosm import names
from ecqg.microcosm.permutation import Link, Permutation
from ecqg.seeds import derive

if TYPE_CHECKING:
    from ecqg.microcosm.facts import Family, Value

CYCLE = 100  # articles; every cycle holds each family's share


class World:
    """A fictional world of `passages` articles."""

    def __init__(self, seed: int, passages: int) -> None:
        from ecqg.microcosm.articles import FAMILIES, TRADES

        if passages < CYCLE:
            raise ValueError(f"a world of {passages} articles; {CYCLE} at least")
        self.seed, self.passages = seed, passages
        self.families: dict[str, Family] = {family.name: family for family in FAMILIES}
        self.trades = TRADES
        order = [family.name for family in FAMILIES for _ in range(family.share)]
        assert len(order) == CYCLE, len(order)
        random.Random(derive(seed, "cycle")).shuffle(order)
        self._cycle: list[tuple[str, int]] = []  # family and rank in the cycle, by slot
        self._slots: dict[str, list[int]] = {family.name: [] for family in FAMILIES}
        for slot, name in enumerate(order):
            self._cycle.append((name, len(self._slots[name])))
            self._slots[name].append(slot)
        whole, rest = divmod(passages, CYCLE)
        self._counts = {
            name: whole * len(slots) + sum(slot < rest for slot in slots)
            for name, slots in self._slots.items()
        }
        # People without an article: one for each article, so that a fact may have its own.
        self.people = self.count("person") + passages
        self._links: dict[tuple[object, ...], Link] = {}
        self._permutations: dict[tuple[object, ...], Permutation] = {}
        self._person_names = names.Supply(
            [names.first_names(seed),
             names.mixed(seed, "surnames", names.STEMS, names.SURNAME_ENDINGS),
             names.INITIALS],
            start=[120, 60, 1], growth=[1, 0, 2], needed=self.people, slack=8,
            seed=seed, name="person",
        )
        self._town_names = names.Supply(
            [names.mixed(seed, "towns", names.TOWN_STEMS, names.TOWN_ENDINGS),
             names.TOWN_QUALIFIERS],
            start=[100, 1], growth=[0, 1], needed=self.count("settlement"), slack=2,
            seed=seed, name="settlement",
        )
        self._counties = names.mixed(seed, "counties", names.TOWN_STEMS, ["ford", "ber", "land", "ing"])
        self.counties = min(len(self._counties), 12 + passages // 250)
        self._facts = lru_cache(maxsize=4096)(self._attributes)

    # --- where things are

    def count(self, family: str) -> int:
        """The number of a family's articles."""
        return self._counts[family]

    def locate(self, index: int) -> tuple[str, int]:
        """The family and the ordinal of the article at a 0-based index."""
        cycle, slot = divmod(index, CYCLE)
        family, rank = self._cycle[slot]
        return family, cycle * len(self._slots[family]) + rank

    def index(self, family: str, ordinal: int) -> int:
        """The inverse of `locate`."""
        slots = self._slots[family]
        cycle, rank = divmod(ordinal, len(slots))
        return cycle * CYCLE + slots[rank]

    # --- chance

    def number(self, *names: object) -> int:
        """A random 63-bit number, fixed for its name."""
        return derive(self.seed, *names)

    def rng(self, *names: object) -> random.Random:
        """A random stream, fixed for its name."""
        return random.Random(derive(self.seed, *names))

    def permutation(self, n: int, *names: object) -> Permutation:
        """A permutation of [0, n), fixed for its name."""
        key = (n, *names)
        if key not in self._permutations:
            self._permutations[key] = Permutation(n, self.seed, *names)
        return self._permutations[key]

    # --- people

    def trade(self, person: int) -> str:
        """What a person with an article does."""
        return self.trades[person % len(self.trades)]

    def traders(self, trade: str) -> int:
        """How many people with an article have a trade."""
        return len(range(self.trades.index(trade), self.count("person"), len(self.trades)))

    def trader(self, trade: str, rank: int) -> int:
        """The person who is the rank-th of a trade."""
        return self.trades.index(trade) + rank * len(self.trades)

    def person_name(self, person: int) -> tuple[str, str, str]:
        """First name, surname and full name of a person, with an article or without."""
        first, last, initial = self._person_names(person)
        return first, last, f"{first} {initial} {last}" if initial else f"{first} {last}"

    def is_woman(self, person: int) -> bool:
        """Whether a person is a woman."""
        return self.person_name(person)[0] in names.FEMALE

    def namesakes(self, person: int) -> list[int]:
        """The people with an article who share a person's surname, that person included."""
        supply = self._person_names
        _, last, _ = supply.places(person)
        found = []
        for first in range(supply.sizes[0]):
            for initial in range(supply.sizes[2]):
                other = supply.ordinal([first, last, initial])
                if other < self.count("person"):
                    found.append(other)
        return found

    def surname(self, number: int) -> str:
        """A surname in use, by any number."""
        return self._person_names.parts[1][number % self._person_names.sizes[1]]

    # --- places

    def town_name(self, ordinal: int) -> str:
        """A settlement's name."""
        name, qualifier = self._town_names(ordinal)
        return name if qualifier == "-" else f"{qualifier} {name}"

    def county_name(self, number: int) -> str:
        """A county's name, by any number."""
        return self._counties[number % self.counties] + "shire"

    # --- relations

    def link(self, name: str, source: str, target: str, trade: str = "") -> Link:
        """A relation between two families; people may be restricted to a trade (by rank)."""
        key = (name, source, target, trade)
        if key not in self._links:
            targets = self.traders(trade) if trade else self.count(target)
            self._links[key] = Link(self.count(source), targets, self.seed, *key)
        return self._links[key]

    # --- what is known of a thing

    def title(self, family: str, ordinal: int) -> str:
        """The title of an article."""
        return self.families[family].title(self, ordinal)

    def attributes(self, family: str, ordinal: int) -> dict[str, Value]:
        """What every article of a family is about, by name."""
        return self._facts(family, ordinal)

    def _attributes(self, family: str, ordinal: int) -> dict[str, Value]:
        return self.families[family].attributes(self, ordinal)
