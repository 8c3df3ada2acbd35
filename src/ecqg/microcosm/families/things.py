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
FRAMES = ("{}", "the {}", '"{}"')
# What names things and says how many there are. Of those that may be left out, the default.
NAMING = ["in_a_cycle", "type", "title"]
NAMING_TOO: dict[str, str | None] = {"frame": "{}", "links": None}
# And what tells of them in articles.
NEEDED = [
    *NAMING, "passages", "attributes", "mentions", "appositions", "fillers", "definition", "facts",
]  # fmt: skip
OPTIONAL = {**NAMING_TOO, "relative": "that", "descriptions": None, "shared": None}


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
    frame: str  # the title in running text, of FRAMES
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
        if not told:
            fields = item.section(NAMING, **NAMING_TOO)
        else:
            fields = item.section(NEEDED, **OPTIONAL)
            self.years[name] = frozenset(
                attribute
                for attribute, draw in fields["attributes"].mapping().items()
                if isinstance(draw.value, dict)
                and "year" in draw.value
                and isinstance(draw.value["year"].value, list)
            )
        count = fields["in_a_cycle"].number(1, 100)
        links = fields["links"].mapping() if "links" in fields else {}
        self.things[name] = Thing(
            name,
            count,
            fields["type"].one_of(TYPES, "type"),
            self._title(name, fields["title"], count),
            fields["frame"].one_of(FRAMES, "frame"),
            {link: self._relation(to) for link, to in links.items()},
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
        fields = item.section([], surname=None, own_town=None, any_town=None, kind=None)
        if "surname" in fields:
            endings = item.section(["surname"])["surname"].texts()
            return lambda world, ordinal: world.surnamed(name, ordinal, endings)
        kinds = fields["kind"].texts() if "kind" in fields else ("",)
        own_town = "own_town" in fields
        way = "own_town" if own_town else "any_town"
        form = fields[way].text() if way in fields else ""
        bare = form.replace("{town}", "").replace("{kind}", "")
        shown = "{town}" in form and ("{kind}" in form) == ("kind" in fields)
        if not shown or set("{}[]|") & set(bare):
            raise item.wrong(
                "a title that is no 'surname', and no form with {town} and one 'kind' or none",
                "see docs/microcosm.md",
            )
        towns = self.things["settlement"].entities if "settlement" in self.things else count
        if count > towns * (1 if own_town else len(kinds)):
            raise item.wrong(f"{count} things in a cycle of {towns} towns", "lower in_a_cycle")

        def title(world: World, ordinal: int) -> str:
            """Such as "Ashham Music Festival" or "The Clockmaker of Ashham".

            No two things share a town that is their own, or else both the town and the kind.
            """
            towns = world.count("settlement")
            if own_town:
                place = world.permutation(towns, name)(ordinal)
                kind = derive(world.seed, name, ordinal) % len(kinds)
            else:
                code = world.permutation(len(kinds) * towns, name)(ordinal)
                place, kind = divmod(code, len(kinds))
            return form.format(town=world.town_name(place), kind=kinds[kind])

        return title
