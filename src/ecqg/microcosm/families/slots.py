"""From a family's file to the draws of its slots and attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ecqg.microcosm import draws
from ecqg.microcosm.facts import TYPES, Draw, Thing
from ecqg.microcosm.families.known import Known
from ecqg.microcosm.families.words import one_of
from ecqg.microcosm.marked import Item

NAME = re.compile(r"[a-z][a-z_]*")
RESERVED = ("they", "them", "their")
PLAIN: Mapping[str, Draw] = {
    "trade": draws.trade,
    "county": draws.county,
    "first word of the title": draws.first_word,
    "last word of the title": draws.last_word,
}
OPTIONS = {  # of each kind of draw: what it may say beside its own key
    "pick": ["type"],
    "constant": ["type"],
    "number": ["step"],
    "year": ["after", "earliest"],
    "country": ["but"],
    "link": [],
    "any": [],
    "linked": [],
    "person": ["alive", "sex"],
    "by_sex": ["woman", "man"],
}
ALWAYS = ("pick", "constant", "number", "year", "country", "link")  # that never come to nothing


@dataclass(frozen=True)
class Scope:
    """Where a slot stands: its family, the attributes, and the slots before it."""

    known: Known
    thing: Thing
    attributes: dict[str, Draw] = field(default_factory=dict)
    slots: dict[str, Draw] | None = None  # None: what is read is an attribute

    def drawn(self, name: str) -> Draw | None:
        """What an earlier slot or an attribute of that name is drawn by."""
        found = (self.slots or {}).get(name) or self.attributes.get(name)
        if isinstance(found, draws.Attribute):
            return self.attributes[found.name]
        return found

    def sexes(self) -> list[str]:
        """What a person may be; other is said of what the article's own person is."""
        return ["woman", "man", *(["other"] if self.thing.name == "person" else [])]

    def year(self, item: Item) -> str:
        """The name of a year that stands before."""
        name = item.text()
        link, _, attribute = name.rpartition(".")
        if link in self.thing.links:
            family = self.thing.links[link].family
            good = attribute in self.known.years.get(family, ())
        else:
            draw = self.drawn(name)
            good = isinstance(draw, draws.Year | draws.YearBetween) or (
                isinstance(draw, draws.Constant) and draw.type == "DATE"
            )
        if not good:
            remedy = "name a slot or an attribute above that is a year, or such as author.born"
            raise item.wrong(f"there is no year {name}", remedy)
        return name


def read_draw(name: str, item: Item, scope: Scope) -> Draw:
    """What the slot or attribute `name` is drawn by."""
    if not NAME.fullmatch(name) or name in RESERVED:
        raise item.wrong(f"{name} is no name of a slot", "write small letters and '_'")
    if isinstance(item.value, list):
        return draws.Pick("THING", item.texts())
    if isinstance(item.value, str):
        if item.value == "attribute" and scope.slots is not None and name in scope.attributes:
            return draws.Attribute(name)
        known = [way for way in PLAIN if way != "trade" or scope.thing.name == "person"]
        return PLAIN[one_of(item, known, "way to draw")]
    fields = item.mapping()
    kind = next((kind for kind in OPTIONS if kind in fields), "")
    if not kind or (scope.slots is None and kind not in ALWAYS):
        kinds = ", ".join(ALWAYS if scope.slots is None else OPTIONS)
        raise item.wrong(f"{name} is drawn by nothing known", f"known are {kinds}")
    fields = item.section([kind], OPTIONS[kind])
    main, given = fields[kind], fields.get
    match kind:
        case "pick":
            return draws.Pick(_type(fields), main.texts())
        case "constant":
            type_ = _type(fields)
            return draws.Constant(str(main.number()) if type_ == "DATE" else main.text(), type_)
        case "number":
            step = given("step")
            return draws.Number(*main.span(), step.number(1) if step else 1)
        case "year":
            return _year(fields, scope)
        case "country":
            one_of(main, ["any"], "country")
            but = given("but")
            if but and not isinstance(scope.attributes.get(but.text()), draws.Country):
                raise but.wrong(f"there is no country {but.text()}", "name such an attribute")
            return draws.Country(but.text() if but else "")
        case "link":
            return draws.Target(one_of(main, scope.thing.links, "link"))
        case "any":
            return draws.Other(one_of(main, scope.known.names, "family"))
        case "linked":
            return _linked(main, scope)
        case "person":
            trade = one_of(main, ["any", *scope.known.trades], "trade")
            near, sex = given("alive"), given("sex")
            return draws.Person(
                "" if trade == "any" else trade,
                scope.year(near) if near else "",
                one_of(sex, scope.sexes(), "sex") if sex else "",
            )
    whom, woman, man = main, given("woman"), given("man")
    if not isinstance(scope.drawn(whom.text()), draws.Person):
        raise whom.wrong(f"there is no person {whom.text()}", "name a slot above that is one")
    if not (woman and man):
        raise whom.wrong("no word for a woman or for a man", "add woman: [...] and man: [...]")
    return draws.BySex(whom.text(), woman.texts(), man.texts())


def _type(fields: dict[str, Item]) -> str:
    return one_of(fields["type"], TYPES, "type") if "type" in fields else "THING"


def _year(fields: dict[str, Item], scope: Scope) -> Draw:
    year, earliest = fields["year"], fields.get("earliest")
    if "after" in fields:
        low, high = fields["after"].span()
        return draws.Year(scope.year(year), low, high, earliest.number() if earliest else 0)
    low, high = year.span()
    by_trade = {}
    for trade, item in earliest.mapping().items() if earliest else ():
        people = scope.thing.name == "person"
        if not people or trade not in scope.known.trades or not low <= item.number() <= high:
            raise item.wrong(f"no trade {trade}, or no year from {low} to {high}", "correct it")
        by_trade[trade] = item.number()
    return draws.YearBetween(low, high, by_trade)


def _linked(item: Item, scope: Scope) -> Draw:
    family, _, link = item.text().partition(".")
    thing = scope.known.things.get(family)
    if not thing or link not in thing.links or thing.links[link].family != scope.thing.name:
        remedy = "write such as novel.author, a link that leads here"
        raise item.wrong(f"no link {family}.{link} leads here", remedy)
    return draws.Source(family, link)
