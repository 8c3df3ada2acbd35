"""How slots and attributes get their values: the `Draw`s that families of articles name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ecqg.microcosm.facts import Case, Value
from ecqg.microcosm.names import COUNTRIES, FEMALE

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
    """The thing that a link leads to from this article."""

    link: str

    def __call__(self, case: Case) -> Value:
        """Its name."""
        return case.world.called(*case.world.follow(self.link, case.family, case.ordinal))


@dataclass(frozen=True)
class Source:
    """One of the things of a family whose link leads to this article; None where there is none.

    Where the link leads to people of one trade, the fact holds only for these.
    """

    family: str
    link: str

    def __call__(self, case: Case) -> Value | None:
        """The name of one of them."""
        found = case.world.linked(self.family, self.link, case.ordinal)
        if not found:
            return None
        return case.world.called(self.family, found[case.rng.randrange(len(found))])


@dataclass(frozen=True)
class Constant:
    """The same text in every article."""

    text: str
    type: str

    def __call__(self, case: Case) -> Value:
        """The text."""
        return Value(self.text, self.type)


def trade(case: Case) -> Value:
    """What the person that the article is about does."""
    return Value(case.world.trade(case.ordinal), "THING")


def county(case: Case) -> Value:
    """The county that the thing lies in."""
    return Value(case.world.county(case.family, case.ordinal), "GPE")


def first_word(case: Case) -> Value:
    """The title's first word, of the title's type."""
    title = case.world.title(case.family, case.ordinal)
    return Value(title.split()[0], case.world.things[case.family].type)


def last_word(case: Case) -> Value:
    """The title's last word, of the title's type."""
    title = case.world.title(case.family, case.ordinal)
    return Value(title.split()[-1], case.world.things[case.family].type)


@dataclass(frozen=True)
class Country:
    """A country, but not that of another attribute."""

    but: str = ""

    def __call__(self, case: Case) -> Value:
        """A random one."""
        options = list(COUNTRIES)
        if self.but:  # as random.sample goes on after its first draw
            last = options.pop()
            taken = case.attributes[self.but].text
            options = [last if option == taken else option for option in options]
        return Value(case.rng.choice(options), "GPE")


@dataclass(frozen=True)
class YearBetween:
    """A year from `low` to `high`; of people of some trades not before a later one."""

    low: int
    high: int
    earliest: Mapping[str, int]  # by trade

    def __call__(self, case: Case) -> Value:
        """A random one."""
        low = self.low
        if self.earliest:
            low = self.earliest.get(case.world.trade(case.ordinal), low)
        return Value(str(case.rng.randint(low, self.high)), "DATE")
