"""The world behind the articles: how many things there are, their names, and how they relate.

Nothing is stored. An article is known by its family and ordinal; its name, attributes and
relations are functions of these and the seed, so that any article can be written by itself and a
world of a million passages takes no more memory than one of a hundred.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from ecqg.errors import InputError
from ecqg.microcosm import names
from ecqg.microcosm.families import catalogue
from ecqg.microcosm.families.draws import Case, Value
from ecqg.microcosm.names import Link, Permutation
from ecqg.seeds import derive


class World:
    """A fictional world of which `passages` passages tell.

    `told` names the families that have articles (all of them if empty); things of the others are
    named in those articles. Families that this package lacks are files of the folder `own`, by
    default the repository's. The passages run in cycles, each of which holds the same number of
    things of each family, each thing in one or several passages. That makes every count and every
    place plain arithmetic.
    """

    def __init__(
        self, seed: int, passages: int, told: Sequence[str] = (), own: Path | None = None
    ) -> None:
        known, self.families = catalogue(told, own)
        self.seed, self.passages = seed, passages
        self.trades, self.things = known.trades, known.things
        things = []  # of a cycle, with their numbers of passages
        for name, thing in self.things.items():
            told_in = self.families[name].parts if name in self.families else (0,)
            things += [(name, told_in[rank % len(told_in)]) for rank in range(thing.entities)]
        random.Random(derive(seed, "cycle")).shuffle(things)
        self._cycle: list[tuple[str, int, int]] = []  # family, rank and part of each passage
        self._starts: dict[str, list[int]] = {name: [] for name in self.things}
        self._parts: dict[str, list[int]] = {name: [] for name in self.things}
        for family, parts in things:
            starts = self._starts[family]
            self._parts[family].append(parts)
            self._cycle += [(family, len(starts), part) for part in range(parts)]
            starts.append(len(self._cycle) - parts)
        cycles, rest = divmod(passages, len(self._cycle))
        self._counts = {
            family: cycles * len(starts) + sum(start < rest for start in starts)
            for family, starts in self._starts.items()
        }
        if min(self._counts.values()) == 0 or self._counts["person"] < len(self.trades):
            raise InputError(
                f"a world of {passages} passages does not hold every type of article and trade",
                file="params.yaml",
                remedy=f"set microcosm.passages to {2 * len(self._cycle)} or more",
            )
        # People without an article; one for each thing, so that every fact can have its own.
        self.minors = sum(self._counts.values())
        # Of n things, the first argument, each fixed for its name.
        self.permutation = cache(lambda n, *name: Permutation(n, seed, *name))
        self._link = cache(lambda n, targets, *name: Link(n, targets, seed, *name))
        surnames = names.surnames(seed)
        self._person_names = names.Supply(
            [names.FIRST_NAMES, surnames, names.INITIALS],
            start=[80, 50, 1],
            growth=[1, 0, 2],
            needed=self.count("person") + self.minors,
            slack=3,
            seed=seed,
            name="person",
        )
        towns = names.mixed(seed, "towns", "town stems", "town endings")
        self._town_names = names.Supply(
            [towns, names.TOWN_QUALIFIERS, names.TOWN_SUFFIXES],
            start=[100, 1, 1],
            growth=[0, 1, 2],
            needed=self.count("settlement"),
            slack=2,
            seed=seed,
            name="settlement",
        )
        partners = ["", *(f"and {name}" for name in surnames)]
        self._surnamed = cache(
            lambda family, endings: names.Supply(
                [surnames, endings, partners],
                start=[40, len(endings), 1],
                growth=[0, 2],
                needed=self.count(family),
                slack=4,
                seed=seed,
                name=family,
            )
        )
        self._counties = names.mixed(seed, "counties", "town stems", "county middles")
        self.counties = min(len(self._counties), 12 + passages // 250)
        # What every article of a family is about, by name.
        self.attributes = lru_cache(maxsize=8192)(self._attributes)

    # --- where things are

    def count(self, family: str) -> int:
        """The number of a family's things."""
        return self._counts[family]

    def locate(self, index: int) -> tuple[str, int, int]:
        """The family, the ordinal and the part of the passage at a 0-based index."""
        cycle, place = divmod(index, len(self._cycle))
        family, rank, part = self._cycle[place]
        return family, cycle * len(self._starts[family]) + rank, part

    def index(self, family: str, ordinal: int, part: int = 0) -> int:
        """The inverse of `locate`; it may exceed the world where its last cycle is cut."""
        starts = self._starts[family]
        cycle, rank = divmod(ordinal, len(starts))
        return cycle * len(self._cycle) + starts[rank] + part

    def parts(self, family: str, ordinal: int) -> int:
        """In how many passages a thing is told."""
        return self._parts[family][ordinal % len(self._parts[family])]

    # --- chance

    def rng(self, *names: object) -> random.Random:
        """A random stream, fixed for its name."""
        return random.Random(derive(self.seed, *names))

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
        firsts, _, initials = map(range, supply.sizes)
        last = supply.places(person)[1]
        people = (supply.ordinal([a, last, b]) for a, b in product(firsts, initials))
        return [other for other in people if other < self.count("person")]

    def surnamed(self, family: str, ordinal: int, endings: tuple[str, ...]) -> str:
        """A title such as "Hartley Industries", of a surname that people bear too."""
        surname, ending, partner = self._surnamed(family, endings)(ordinal)
        return " ".join(part for part in (surname, partner, ending) if part)

    # --- places

    def town_name(self, ordinal: int) -> str:
        """A settlement's name."""
        town, qualifier, suffix = self._town_names(ordinal)
        return " ".join(part for part in (qualifier, town, suffix) if part)

    def county(self, family: str, ordinal: int) -> str:
        """The county that a thing of a family lies in."""
        return self._counties[self._county_link(family).target(ordinal)] + "shire"

    def _county_link(self, family: str) -> Link:
        return self._link(self.count(family), self.counties, "county", family)

    # --- relations

    def link(self, name: str, source: str) -> Link:
        """A relation of a family; where it leads to people of a trade, to these by rank."""
        relation = self.things[source].links[name]
        trade, family = relation.trade, relation.family
        targets = self.traders(trade) if trade else self.count(family)
        return self._link(self.count(source), targets, name, source, family, trade)

    def follow(self, name: str, source: str, ordinal: int) -> tuple[str, int]:
        """The family and the ordinal of what a link leads to."""
        relation = self.things[source].links[name]
        target = self.link(name, source).target(ordinal)
        return relation.family, self.trader(relation.trade, target) if relation.trade else target

    def linked(self, source: str, name: str, ordinal: int) -> list[int]:
        """The things of the family `source` whose link leads to the thing `ordinal`."""
        trade = self.things[source].links[name].trade
        if trade and self.trade(ordinal) != trade:
            return []
        return self.link(name, source).inverse(ordinal // len(self.trades) if trade else ordinal)

    def is_alone(self, family: str, ordinal: int) -> bool:
        """Whether nothing else is called by the same noun within what the family is alone in.

        It tells whether "the brewery from Ashville" can only be one company.
        """
        within = self.families[family].alone_in
        if within == "surname":
            others = self.namesakes(ordinal)
        else:
            link = self._county_link(family) if within == "county" else self.link(within, family)
            others = link.inverse(link.target(ordinal))
        mine = self.attributes(family, ordinal)["noun"]
        return all(
            other == ordinal or self.attributes(family, other)["noun"] != mine for other in others
        )

    # --- what is known of a thing

    def title(self, family: str, ordinal: int) -> str:
        """The title of an article."""
        return self.things[family].title(self, ordinal)

    def called(self, family: str, ordinal: int) -> Value:
        """A thing's name as running text has it, without its framing article."""
        frame = self.things[family].frame.removeprefix("the ")
        return Value(frame.format(self.title(family, ordinal)), self.things[family].type)

    def _attributes(self, family: str, ordinal: int) -> dict[str, Value]:
        values: dict[str, Value] = {}
        rng = self.rng(family, ordinal)
        for name, draw in self.families[family].attributes.items():
            value = draw.value(Case(self, family, ordinal, "", name, values, {}, rng))
            assert value is not None, f"{family}.{name}: an attribute must always hold"
            values[name] = value
        return values
