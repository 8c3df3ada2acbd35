"""The things of the world, and what else the file of a family may refer to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ecqg.microcosm.marked import Item
from ecqg.seeds import derive

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

TYPES = (  # of OntoNotes, and THING for a common noun
    "PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW",
    "LANGUAGE", "DATE", "CARDINAL", "THING",
)  # fmt: skip
NAMING = ("in_a_cycle", "type", "title")  # what names things, and how many there are
NAMING_TOO = ("frame", "links")
FRAMES = ("{}", "the {}", '"{}"')


@dataclass(frozen=True, slots=True)
class Relation:
    """What a link of a thing leads to: things of a family, or the people of a trade."""

    family: str
    trade: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """A type of thing that the world has, whether articles tell of it or only name it."""

    name: str
    entities: int  # in each cycle of the world
    type: str  # OntoNotes type of its titles
    title: Callable[[World, int], str]
    frame: str  # the title in running text: "{}", 'the {}', '"{}"'
    links: Mapping[str, Relation]


@dataclass(frozen=True)
class Known:
    """The world's things so far, and what else files name."""

    trades: tuple[str, ...]
    cycle: tuple[str, ...]  # names of this package's things
    shared: dict[str, Item] = field(default_factory=dict)  # facts of several families
    things: dict[str, Thing] = field(default_factory=dict)
    # Of things with articles: attributes that are years between two others, by family.
    years: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Of all things, those to come too."""
        return list(dict.fromkeys([*self.cycle, *self.things]))

    def add(self, name: str, item: Item, *, told: bool = True) -> None:
        """A thing, from the file of its family, or where articles only name it from a part."""
        fields = item.mapping() if told else item.section(NAMING, NAMING_TOO)
        for key in NAMING:
            if key not in fields:
                raise item.wrong(f"no {key}", f"add '{key}:'")
        frame = fields.get("frame")
        if frame and frame.text() not in FRAMES:
            raise frame.wrong(f"no frame {frame}", f"choose from {', '.join(map(repr, FRAMES))}")
        count = fields["in_a_cycle"].number(1, 100)
        self.things[name] = Thing(
            name=name,
            entities=count,
            type=fields["type"].one_of(TYPES, "type"),
            title=self._title(name, fields["title"], count),
            frame=frame.text() if frame else "{}",
            links={link: self._relation(to) for link, to in fields["links"].mapping().items()}
            if "links" in fields
            else {},
        )
        if told and "attributes" in fields:
            self.years[name] = frozenset(
                attribute
                for attribute, draw in fields["attributes"].mapping().items()
                if isinstance(draw.value, dict)
                and "year" in draw.value
                and isinstance(draw.value["year"].value, list)
            )

    def _relation(self, item: Item) -> Relation:
        name = item.one_of([*self.names, *self.trades], "family or trade")
        return Relation("person", name) if name in self.trades else Relation(name)

    def _title(self, name: str, item: Item, count: int) -> Callable[[World, int], str]:
        """How `count` things in a cycle get titles that are all different."""
        if item.value == name == "person":
            return lambda world, ordinal: world.person_name(ordinal)[2]
        if item.value == "town" and name == "settlement":
            return lambda world, ordinal: world.town_name(ordinal)
        fields = item.section([], ["surname", "own_town", "any_town", "kind"])
        if "surname" in fields:
            endings = item.section(["surname"])["surname"].texts()
            return lambda world, ordinal: world.surnamed(name, ordinal, endings)
        kinds = fields["kind"].texts() if "kind" in fields else ()
        way = next((way for way in ("own_town", "any_town") if way in fields), "")
        form = fields[way].text() if way else ""
        bare = form.replace("{town}", "").replace("{kind}", "")
        if "{town}" not in form or ("{kind}" in form) != bool(kinds) or set("{}[]|") & set(bare):
            raise item.wrong(
                "a title that is no 'surname', and no form with {town} and one 'kind' or none",
                "see docs/microcosm.md",
            )
        towns = self.things["settlement"].entities if "settlement" in self.things else count
        if count > towns * (len(kinds) if way == "any_town" else 1):
            raise item.wrong(f"{count} things in a cycle of {towns} towns", "lower in_a_cycle")
        options = kinds or ("",)

        def own_town(world: World, ordinal: int) -> str:
            """Such as "Ashham Music Festival": no two things of the family share a town."""
            place = world.permutation(world.count("settlement"), name)(ordinal)
            kind = options[derive(world.seed, name, ordinal) % len(options)]
            return form.format(town=world.town_name(place), kind=kind)

        def any_town(world: World, ordinal: int) -> str:
            """Such as "The Clockmaker of Ashham": no two share both the town and the kind."""
            code = world.permutation(len(options) * world.count("settlement"), name)(ordinal)
            place, kind = divmod(code, len(options))
            return form.format(town=world.town_name(place), kind=options[kind])

        return own_town if way == "own_town" else any_town
