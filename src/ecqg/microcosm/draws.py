"""How the slots of facts get their values: the `Draw`s that the articles' data are written with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ecqg.microcosm.facts import Case, Check, Value
from ecqg.microcosm.names import FEMALE

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
LAST_YEAR = 2018
SHARE_WITH_ARTICLE = 0.6  # of the people in facts, as far as there are enough of them


@dataclass(frozen=True)
class Attribute:
    """An attribute of the article."""

    name: str

    def __call__(self, case: Case) -> Value | None:
        """The value, or None where this article has no such attribute."""
        return case.attributes.get(self.name)


@dataclass(frozen=True)
class Pick:
    """One of several texts of a type."""

    type: str
    options: tuple[str, ...]

    def __call__(self, case: Case) -> Value:
        """A random one."""
        return Value(case.rng.choice(self.options), self.type)


def thing(options: str) -> Pick:
    """One of several common nouns, separated by commas."""
    return Pick("THING", tuple(option.strip() for option in options.split(",")))


def name(kind: str, options: str) -> Pick:
    """One of several names of an OntoNotes type, separated by commas."""
    return Pick(kind, tuple(option.strip() for option in options.split(",")))


@dataclass(frozen=True)
class Year:
    """A year, `low` to `high` years after another, but not before `floor` or after LAST_YEAR."""

    base: str
    low: int
    high: int
    floor: int = 0

    def __call__(self, case: Case) -> Value:
        """A random one."""
        start = case.year(self.base)
        low = min(max(start + self.low, self.floor), LAST_YEAR - 1)
        high = min(max(start + self.high, low + self.high - self.low), LAST_YEAR)
        return Value(str(case.rng.randint(low, high)), "DATE")


@dataclass(frozen=True)
class Number:
    """A cardinal number; small ones are written as words, large ones with a comma."""

    low: int
    high: int
    step: int = 1

    def __call__(self, case: Case) -> Value:
        """A random one."""
        value = case.rng.randrange(self.low, self.high + 1, self.step)
        return Value(NUMBER_WORDS[value] if value <= 12 else f"{value:,}", "CARDINAL")


@dataclass(frozen=True)
class Person:
    """A person of whom no other article of the family states the same fact.

    Where there are enough of them it is often one with an article, of the given trade (any if
    empty) who, with `near`, was an adult in that year; else one of whom there is no article.
    `sex` is "woman", "man", "other" (than the article's person), or empty.
    """

    trade: str = ""
    near: str = ""
    sex: str = ""

    def __call__(self, case: Case) -> Value | None:
        """The person's name; None where nobody fits."""
        world, stride = case.world, case.world.count(case.family)
        slot = (case.family, case.fact, case.slot)
        famous = world.traders(self.trade) if self.trade else world.count("person")
        rank = world.permutation(stride, "famous", *slot)(case.ordinal)
        if rank < famous and case.rng.random() < SHARE_WITH_ARTICLE:
            rank = world.permutation(famous, "which", *slot)(rank)
            found = world.trader(self.trade, rank) if self.trade else rank
            if self._fits(case, found) and self._lived(case, found):
                return Value(world.person_name(found)[2], "PERSON")
        minors = world.permutation(world.minors, "minor", *slot)
        # Each article has its own residue class of tries, so that no two can find the same person.
        for attempt in range(case.ordinal, world.minors, stride):
            found = world.count("person") + minors(attempt)
            if self._fits(case, found):
                return Value(world.person_name(found)[2], "PERSON")
        return None

    def _fits(self, case: Case, found: int) -> bool:
        world = case.world
        if case.family == "person" and found == case.ordinal:
            return False
        if not self.sex:
            return True
        woman = self.sex == "woman"
        if self.sex == "other":
            woman = not world.is_woman(case.ordinal)
        return world.is_woman(found) == woman

    def _lived(self, case: Case, found: int) -> bool:
        if not self.near:
            return True
        known, when = case.world.attributes("person", found), case.year(self.near)
        return int(known["born"].text) + 20 <= when <= int(known["died"].text)


@dataclass(frozen=True)
class BySex:
    """A word for a person in another slot, by that person's sex."""

    slot: str
    woman: tuple[str, ...]
    man: tuple[str, ...]

    def __call__(self, case: Case) -> Value:
        """A random one of the fitting words."""
        first = case.values[self.slot].text.split()[0]
        return Value(case.rng.choice(self.woman if first in FEMALE else self.man), "THING")


def by_sex(slot: str, woman: str, man: str) -> BySex:
    """Words for a woman and for a man, separated by commas."""
    return BySex(slot, tuple(woman.split(", ")), tuple(man.split(", ")))


@dataclass(frozen=True)
class Other:
    """Any other thing that has an article; many facts may name the same one."""

    family: str

    def __call__(self, case: Case) -> Value | None:
        """Its name as running text has it; None where chance hits the article itself."""
        found = case.rng.randrange(case.world.count(self.family))
        if self.family == case.family and found == case.ordinal:
            return None
        value = case.world.called(self.family, found)
        return None if value.text in {v.text for v in case.values.values()} else value


@dataclass(frozen=True)
class Target:
    """The thing that a link leads to from this article; with a trade, a person of that trade."""

    link: str
    family: str
    trade: str = ""

    def __call__(self, case: Case) -> Value:
        """Its name."""
        return case.world.called(self.family, self.ordinal(case))

    def ordinal(self, case: Case) -> int:
        """Its ordinal."""
        return case.world.target(self.link, case.family, case.ordinal, self.family, self.trade)


@dataclass(frozen=True)
class Source:
    """One of the things whose link leads to this article; None where there is none.

    With a trade, the fact holds only for people of that trade.
    """

    link: str
    family: str
    trade: str = ""

    def __call__(self, case: Case) -> Value | None:
        """The name of one of them."""
        world, ordinal = case.world, case.ordinal
        if self.trade:
            if world.trade(ordinal) != self.trade:
                return None
            ordinal //= len(world.trades)
        link = world.link(self.link, self.family, case.family, self.trade)
        found = link.inverse(ordinal)
        if not found:
            return None
        return world.called(self.family, found[case.rng.randrange(len(found))])


def only_in_county(world: World, family: str, ordinal: int) -> bool:
    """Whether no other thing of the family in the same county is called by the same noun."""
    mine = world.attributes(family, ordinal)["noun"].text
    return all(
        other == ordinal or world.attributes(family, other)["noun"].text != mine
        for other in world.neighbours(family, ordinal)
    )


def alone(link: str, target: str, trade: str = "", attribute: str = "noun") -> Check:
    """A check that no other thing of the same link target has the same value of an attribute.

    It tells whether "the castle in Ashville" can only be one building. With an empty attribute
    there must be no other thing at all.
    """

    def check(world: World, family: str, ordinal: int) -> bool:
        found = world.link(link, family, target, trade)
        others = [o for o in found.inverse(found.target(ordinal)) if o != ordinal]
        if not attribute:
            return not others
        mine = world.attributes(family, ordinal)[attribute].text
        return all(world.attributes(family, o)[attribute].text != mine for o in others)

    return check
