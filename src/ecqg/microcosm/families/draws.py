"""How slots and attributes get their values: the ways to draw that a family's file names."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ecqg.microcosm.families.things import TYPES, Known, Thing
from ecqg.microcosm.marked import Item
from ecqg.microcosm.names import COUNTRIES, FEMALE

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

NAME = re.compile(r"[a-z][a-z_]*")
RESERVED = ("they", "them", "their")
NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
LAST_YEAR = 2018
SHARE_WITH_ARTICLE = 0.6  # of the people in facts, as far as there are enough of them


@dataclass(frozen=True, slots=True)
class Value:
    """A slot's value: its text, and its OntoNotes type or THING for a common noun."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Case:
    """What a slot is drawn from: one slot of one article's fact, and the slots drawn before it."""

    world: World
    family: str
    ordinal: int
    fact: str
    slot: str
    attributes: Mapping[str, Value]
    values: Mapping[str, Value]
    rng: random.Random

    def year(self, name: str) -> int:
        """A year among values or attributes, or that of what a link leads to: "author.born"."""
        link, _, attribute = name.rpartition(".")
        if link:
            family, ordinal = self.world.follow(link, self.family, self.ordinal)
            return int(self.world.attributes(family, ordinal)[attribute].text)
        return int((self.values[name] if name in self.values else self.attributes[name]).text)


Drawing: TypeAlias = "Callable[[Case], Value | None]"  # None: the fact does not hold
Fields: TypeAlias = "dict[str, Item]"


@dataclass(frozen=True, slots=True)
class Draw:
    """How one slot or attribute gets its value; `kind` is the key by which its file says so."""

    kind: str
    value: Drawing


@dataclass(frozen=True)
class Scope:
    """Where a slot stands: its family, the attributes, and the slots before it."""

    known: Known
    thing: Thing
    attributes: dict[str, Draw]
    slots: dict[str, Draw] | None = None  # None: what is read is an attribute

    def kind(self, name: str) -> str:
        """By what an earlier slot or an attribute of that name is drawn, or nothing."""
        draw = (self.slots or {}).get(name) or self.attributes.get(name)
        if draw and draw.kind == "attribute":
            draw = self.attributes[name]
        return draw.kind if draw else ""

    def year(self, item: Item) -> str:
        """The name of a year that stands before."""
        name = item.text()
        link, _, attribute = name.rpartition(".")
        if link in self.thing.links:
            good = attribute in self.known.years.get(self.thing.links[link].family, ())
        else:
            good = self.kind(name) == "year"
        if not good:
            remedy = "name a slot or an attribute above that is a year, or such as author.born"
            raise item.wrong(f"there is no year {name}", remedy)
        return name


def read_draw(name: str, item: Item, scope: Scope) -> Draw:
    """What the slot or attribute `name` is drawn by."""
    if not NAME.fullmatch(name) or name in RESERVED:
        raise item.wrong(f"{name} is no name of a slot", "write small letters and '_'")
    if isinstance(item.value, list):
        item = replace(item, value={"pick": item})
    if isinstance(item.value, str):
        if item.value == "attribute" and scope.slots is not None and name in scope.attributes:
            return Draw("attribute", lambda case: case.attributes.get(name))
        plain = [way for way in PLAIN if way != "trade" or scope.thing.name == "person"]
        of_thing = ["attribute"] if scope.slots is not None and name in scope.attributes else []
        way = item.one_of([*plain, *of_thing], "way to draw")
        return Draw(way, PLAIN[way])
    kinds = ALWAYS if scope.slots is None else tuple(KINDS)
    kind = next((kind for kind in KINDS if kind in item.mapping()), "")
    if kind not in kinds:
        raise item.wrong(f"{name} is drawn by nothing known", f"known are {', '.join(kinds)}")
    read, needed, optional = KINDS[kind]
    fields = item.section([kind, *needed], **optional)
    # Of the year that is a constant, too, other years may count.
    dated = kind == "constant" and fields["type"].value == "DATE"
    return Draw("year" if dated else kind, read(fields, scope))


def _pick(fields: Fields, scope: Scope) -> Drawing:
    """One of several texts of a type."""
    type_, options = fields["type"].one_of(TYPES, "type"), fields["pick"].texts()
    return lambda case: Value(case.rng.choice(options), type_)


def _constant(fields: Fields, scope: Scope) -> Drawing:
    """The same text in every article."""
    type_, text = fields["type"].one_of(TYPES, "type"), fields["constant"]
    value = Value(str(text.number()) if type_ == "DATE" else text.text(), type_)
    return lambda case: value


def _number(fields: Fields, scope: Scope) -> Drawing:
    """A cardinal number; small ones are written as words, large ones with a comma."""
    (low, high), step = fields["number"].span(), fields["step"].number(1)

    def draw(case: Case) -> Value:
        value = case.rng.randrange(low, high + 1, step)
        return Value(NUMBER_WORDS[value] if value <= 12 else f"{value:,}", "CARDINAL")

    return draw


def _year(fields: Fields, scope: Scope) -> Drawing:
    """A year so long after another, but not before `earliest` or after LAST_YEAR."""
    if "after" not in fields:
        return _year_between(fields, scope)
    low, high = fields["after"].span()
    base, floor = scope.year(fields["year"]), fields["earliest"].number()

    def draw(case: Case) -> Value:
        start = case.year(base)
        first = min(max(start + low, floor), LAST_YEAR - 1)
        last = min(max(start + high, first + high - low), LAST_YEAR)
        return Value(str(case.rng.randint(first, last)), "DATE")

    return draw


def _year_between(fields: Fields, scope: Scope) -> Drawing:
    """A year between two; of people of some trades not before a later one."""
    low, high = fields["year"].span()
    earliest = fields["earliest"].mapping() if fields["earliest"].value != "0" else {}
    trades = scope.known.trades if scope.thing.name == "person" else ()
    for trade, item in earliest.items():
        if trade not in trades or not low <= item.number() <= high:
            raise item.wrong(f"no trade {trade}, or no year from {low} to {high}", "correct it")
    first = {trade: item.number() for trade, item in earliest.items()}

    def draw(case: Case) -> Value:
        start = first.get(case.world.trade(case.ordinal), low) if first else low
        return Value(str(case.rng.randint(start, high)), "DATE")

    return draw


def _country(fields: Fields, scope: Scope) -> Drawing:
    """A country, but not that of another attribute."""
    fields["country"].one_of(["any"], "country")
    but = fields["but"].text() if "but" in fields else ""
    if but and (but not in scope.attributes or scope.attributes[but].kind != "country"):
        raise fields["but"].wrong(f"there is no country {but}", "name such an attribute")

    def draw(case: Case) -> Value:
        options = list(COUNTRIES)
        if but:  # as random.sample goes on after its first draw
            last = options.pop()
            taken = case.attributes[but].text
            options = [last if option == taken else option for option in options]
        return Value(case.rng.choice(options), "GPE")

    return draw


def _link(fields: Fields, scope: Scope) -> Drawing:
    """The thing that a link leads to from this article."""
    link = fields["link"].one_of(scope.thing.links, "link")
    return lambda case: case.world.called(*case.world.follow(link, case.family, case.ordinal))


def _any(fields: Fields, scope: Scope) -> Drawing:
    """Any other thing of a family; many facts may name the same one."""
    family = fields["any"].one_of(scope.known.names, "family")

    def draw(case: Case) -> Value | None:
        ordinal = case.rng.randrange(case.world.count(family))
        if family == case.family and ordinal == case.ordinal:
            return None
        value = case.world.called(family, ordinal)
        return None if value.text in {v.text for v in case.values.values()} else value

    return draw


def _linked(fields: Fields, scope: Scope) -> Drawing:
    """One of the things of a family whose link leads to this article.

    Where the link leads to people of one trade, the fact holds only for these.
    """
    item = fields["linked"]
    family, _, link = item.text().partition(".")
    thing = scope.known.things.get(family)
    if not thing or link not in thing.links or thing.links[link].family != scope.thing.name:
        remedy = "write such as novel.author, a link that leads here"
        raise item.wrong(f"no link {family}.{link} leads here", remedy)

    def draw(case: Case) -> Value | None:
        sources = case.world.linked(family, link, case.ordinal)
        return case.world.called(family, case.rng.choice(sources)) if sources else None

    return draw


def _person(fields: Fields, scope: Scope) -> Drawing:
    """A person of whom no other article of the family states the same fact.

    Where there are enough of them it is often one with an article, of the given trade, who was an
    adult in the year `alive`; else one of whom there is no article.
    """
    trade = fields["person"].one_of(["any", *scope.known.trades], "trade")
    near = scope.year(fields["alive"]) if "alive" in fields else ""
    # Other: than that of the person whom the article is about.
    sexes = ["woman", "man", *(["other"] if scope.thing.name == "person" else [])]
    sex = fields["sex"].one_of(sexes, "sex") if "sex" in fields else ""

    def fits(case: Case, number: int) -> bool:
        world = case.world
        if case.family == "person" and number == case.ordinal:
            return False
        woman = not world.is_woman(case.ordinal) if sex == "other" else sex == "woman"
        return not sex or world.is_woman(number) == woman

    def lived(case: Case, number: int) -> bool:
        if not near:
            return True
        known, when = case.world.attributes("person", number), case.year(near)
        return int(known["born"].text) + 20 <= when <= int(known["died"].text)

    def draw(case: Case) -> Value | None:
        world, stride = case.world, case.world.count(case.family)
        slot = (case.family, case.fact, case.slot)
        famous = world.count("person") if trade == "any" else world.traders(trade)
        rank = world.permutation(stride, "famous", *slot)(case.ordinal)
        if rank < famous and case.rng.random() < SHARE_WITH_ARTICLE:
            rank = world.permutation(famous, "which", *slot)(rank)
            number = rank if trade == "any" else world.trader(trade, rank)
            if fits(case, number) and lived(case, number):
                return Value(world.person_name(number)[2], "PERSON")
        minors = world.permutation(world.minors, "minor", *slot)
        # Each article has its own residue class of tries, so that no two can find the same person.
        for attempt in range(case.ordinal, world.minors, stride):
            number = world.count("person") + minors(attempt)
            if fits(case, number):
                return Value(world.person_name(number)[2], "PERSON")
        return None

    return draw


def _by_sex(fields: Fields, scope: Scope) -> Drawing:
    """A word for a person in another slot, by that person's sex."""
    slot = fields["by_sex"].text()
    if scope.kind(slot) != "person":
        raise fields["by_sex"].wrong(f"there is no person {slot}", "name a slot above that is one")
    woman, man = fields["woman"].texts(), fields["man"].texts()

    def draw(case: Case) -> Value:
        first = case.values[slot].text.split()[0]
        return Value(case.rng.choice(woman if first in FEMALE else man), "THING")

    return draw


def _word_of_title(case: Case, place: int) -> Value:
    """A word of the title, of the title's type."""
    title = case.world.title(case.family, case.ordinal)
    return Value(title.split()[place], case.world.things[case.family].type)


PLAIN: Mapping[str, Drawing] = {
    "trade": lambda case: Value(case.world.trade(case.ordinal), "THING"),
    "county": lambda case: Value(case.world.county(case.family, case.ordinal), "GPE"),
    "first word of the title": lambda case: _word_of_title(case, 0),
    "last word of the title": lambda case: _word_of_title(case, -1),
}
# What reads each kind of draw, and its further keys: those needed, those that may be left out.
KINDS: Mapping[str, tuple[Callable[[Fields, Scope], Drawing], list[str], dict[str, str | None]]] = {
    "pick": (_pick, [], {"type": "THING"}),
    "constant": (_constant, [], {"type": "THING"}),
    "number": (_number, [], {"step": "1"}),
    "year": (_year, [], {"after": None, "earliest": "0"}),
    "country": (_country, [], {"but": None}),
    "link": (_link, [], {}),
    "any": (_any, [], {}),
    "linked": (_linked, [], {}),
    "person": (_person, [], {"alive": None, "sex": None}),
    "by_sex": (_by_sex, ["woman", "man"], {}),
}
ALWAYS = ("pick", "constant", "number", "year", "country", "link")  # that never come to nothing
