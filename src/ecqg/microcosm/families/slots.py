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
Fields = dict[str, Item]


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
    return _READERS[kind](item.section([kind], OPTIONS[kind]), scope)


def _type(fields: Fields) -> str:
    return one_of(fields["type"], TYPES, "type") if "type" in fields else "THING"


def _pick(fields: Fields, scope: Scope) -> Draw:
    return draws.Pick(_type(fields), fields["pick"].texts())


def _constant(fields: Fields, scope: Scope) -> Draw:
    kind, item = _type(fields), fields["constant"]
    return draws.Constant(str(item.number()) if kind == "DATE" else item.text(), kind)


def _number(fields: Fields, scope: Scope) -> Draw:
    step = fields["step"].number(1) if "step" in fields else 1
    return draws.Number(*fields["number"].span(), step)


def _year(fields: Fields, scope: Scope) -> Draw:
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


def _country(fields: Fields, scope: Scope) -> Draw:
    one_of(fields["country"], ["any"], "country")
    but = fields.get("but")
    if but and not isinstance(scope.attributes.get(but.text()), draws.Country):
        raise but.wrong(f"there is no country {but.text()}", "name an attribute that is one")
    return draws.Country(but.text() if but else "")


def _link(fields: Fields, scope: Scope) -> Draw:
    return draws.Target(one_of(fields["link"], scope.thing.links, "link"))


def _any(fields: Fields, scope: Scope) -> Draw:
    return draws.Other(one_of(fields["any"], scope.known.names, "family"))


def _linked(fields: Fields, scope: Scope) -> Draw:
    family, _, link = fields["linked"].text().partition(".")
    thing = scope.known.things.get(family)
    if not thing or link not in thing.links or thing.links[link].family != scope.thing.name:
        remedy = "write such as novel.author, a link that leads here"
        raise fields["linked"].wrong(f"no link {family}.{link} leads here", remedy)
    return draws.Source(family, link)


def _person(fields: Fields, scope: Scope) -> Draw:
    trade = one_of(fields["person"], ["any", *scope.known.trades], "trade")
    near, sex = fields.get("alive"), fields.get("sex")
    return draws.Person(
        "" if trade == "any" else trade,
        scope.year(near) if near else "",
        one_of(sex, _sexes(scope), "sex") if sex else "",
    )


def _sexes(scope: Scope) -> list[str]:
    return ["woman", "man", *(["other"] if scope.thing.name == "person" else [])]


def _by_sex(fields: Fields, scope: Scope) -> Draw:
    whom = fields["by_sex"]
    if not isinstance(scope.drawn(whom.text()), draws.Person):
        raise whom.wrong(f"there is no person {whom.text()}", "name a slot above that is one")
    for key in OPTIONS["by_sex"]:
        if key not in fields:
            raise whom.wrong(f"no {key}", f"add {key}: [...]")
    return draws.BySex(whom.text(), fields["woman"].texts(), fields["man"].texts())


_READERS = {
    "pick": _pick,
    "constant": _constant,
    "number": _number,
    "year": _year,
    "country": _country,
    "link": _link,
    "any": _any,
    "linked": _linked,
    "person": _person,
    "by_sex": _by_sex,
}
