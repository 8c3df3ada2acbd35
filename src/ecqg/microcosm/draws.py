"""How the slots of facts get their values: constructors of `Draw` functions."""

from __future__ import annotations

from collections.abc import Sequence

from ecqg.microcosm.facts import Case, Draw, Value

NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def attribute(name: str) -> Draw:
    """An attribute of the article."""
    return lambda case: case.attributes.get(name)


def choice(kind: str, *options: str) -> Draw:
    """One of several texts of a type."""
    return lambda case: Value(case.rng.choice(options), kind)


def thing(options: str) -> Draw:
    """One of several common nouns, separated by commas."""
    return choice("THING", *(option.strip() for option in options.split(",")))


def year(base: str, low: int, high: int) -> Draw:
    """A year between `low` and `high` years after another."""
    return lambda case: Value(str(case.year(base) + case.rng.randint(low, high)), "DATE")


def number(low: int, high: int, step: int = 1) -> Draw:
    """A cardinal number; small ones are written as words, large ones with commas."""

    def draw(case: Case) -> Value:
        value = case.rng.randrange(low, high + 1, step)
        text = NUMBER_WORDS[value] if value <= 12 else f"{value:,}"
        return Value(text, "CARDINAL")

    return draw


def person(trade: str = "", near: str = "") -> Draw:
    """A person of whom no other article says the same: each article's is a different one.

    Where the numbers allow it the person has an article, of the given trade (any if empty), and,
    with `near`, was an adult in that year; else it is somebody of whom there is none.
    """

    def draw(case: Case) -> Value:
        world, family = case.world, case.family
        slot = (family, case.fact, trade, len(case.values))
        famous = world.traders(trade) if trade else world.count("person")
        rank = world.permutation(world.count(family), "famous", *slot)(case.ordinal)
        if rank < famous and case.rng.random() < 0.6:
            rank = world.permutation(famous, "which", *slot)(rank)
            found = world.trader(trade, rank) if trade else rank
            itself = family == "person" and found == case.ordinal
            if not itself and (not near or alive(case, found, case.year(near))):
                return Value(world.person_name(found)[2], "PERSON")
        minors = world.permutation(world.passages, "minor", *slot)
        return Value(
            world.person_name(world.count("person") + minors(case.ordinal))[2], "PERSON"
        )

    return draw


def alive(case: Case, found: int, when: int) -> bool:
    """Whether a person with an article was an adult in a year."""
    known = case.world.attributes("person", found)
    return int(known["born"].text) + 20 <= when <= int(known["died"].text)


def other(family: str) -> Draw:
    """Any other thing with an article; the same one may be drawn by many."""

    def draw(case: Case) -> Value | None:
        world = case.world
        found = case.rng.randrange(world.count(family))
        if family == case.family and found == case.ordinal:
            return None
        return Value(world.title(family, found), world.families[family].type)

    return draw


def town(case: Case) -> Value:
    """A settlement."""
    world = case.world
    return Value(world.town_name(case.rng.randrange(world.count("settlement"))), "GPE")


def target(name: str, family: str, trade: str = "") -> Draw:
    """The thing that a link leads to from this article."""

    def draw(case: Case) -> Value:
        world = case.world
        found = world.link(name, case.family, family, trade).target(case.ordinal)
        if trade:
            found = world.trader(trade, found)
        return Value(world.title(family, found), world.families[family].type)

    return draw


def source(name: str, family: str, trade: str = "") -> Draw:
    """One of the things whose link leads to this article; None where there is none.

    With a trade, the fact holds only for people of that trade.
    """

    def draw(case: Case) -> Value | None:
        world, ordinal = case.world, case.ordinal
        if trade:
            if world.trade(ordinal) != trade:
                return None
            ordinal //= len(world.trades)
        found = world.link(name, family, case.family, trade).inverse(ordinal)
        if not found:
            return None
        chosen = found[case.rng.randrange(len(found))]
        return Value(world.title(family, chosen), world.families[family].type)

    return draw


def distinct(draws: Sequence[Draw]) -> Draw:
    """The first value that none of the slots before it has."""

    def draw(case: Case) -> Value | None:
        used = {value.text for value in case.values.values()}
        for option in draws:
            value = option(case)
            if value is not None and value.text not in used:
                return value
        return None

    return draw
