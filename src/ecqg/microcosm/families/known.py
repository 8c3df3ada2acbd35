"""What the file of a family may refer to: things, trades, years and shared facts."""

from __future__ import annotations

from dataclasses import dataclass, field

from ecqg.microcosm import titles
from ecqg.microcosm.facts import TYPES, Relation, Thing
from ecqg.microcosm.families.words import one_of
from ecqg.microcosm.marked import Item

NAMING = ("in_a_cycle", "type", "title")  # what names things, and how many there are
NAMING_TOO = ("frame", "links")
FRAMES = ("{}", "the {}", '"{}"')


@dataclass(frozen=True)
class Known:
    """The world's things so far, and what else files name."""

    trades: tuple[str, ...]
    cycle: tuple[str, ...]  # names of this package's things
    shared: dict[str, Item] = field(default_factory=dict)  # facts of several families
    things: dict[str, Thing] = field(default_factory=dict)
    # Of things with articles: attributes that are years between two others, by family.
    years: dict[str, frozenset[str]] = field(default_factory=dict)

    def copy(self) -> Known:
        """One to which more can be added."""
        return Known(self.trades, self.cycle, self.shared, {**self.things}, {**self.years})

    def add(self, name: str, item: Item, *, told: bool = True) -> None:
        """A thing, from the file of its family, or where articles only name it from a part."""
        fields = item.mapping() if told else item.section(NAMING, NAMING_TOO)
        for key in NAMING:
            if key not in fields:
                raise item.wrong(f"no {key}", f"add '{key}:'")
        frame = fields.get("frame")
        if frame and frame.text() not in FRAMES:
            raise frame.wrong(f"no frame {frame}", f"choose from {', '.join(map(repr, FRAMES))}")
        self.things[name] = Thing(
            name=name,
            entities=fields["in_a_cycle"].number(1, 100),
            type=one_of(fields["type"], TYPES, "type"),
            title=self._title(name, fields["title"], fields["in_a_cycle"].number(1, 100)),
            frame=frame.text() if frame else "{}",
            links=self._links(fields["links"]) if "links" in fields else {},
        )
        if told and "attributes" in fields:
            self.years[name] = frozenset(
                attribute
                for attribute, draw in fields["attributes"].mapping().items()
                if isinstance(draw.value, dict)
                and "year" in draw.value
                and isinstance(draw.value["year"].value, list)
            )

    @property
    def names(self) -> list[str]:
        """Of all things, those to come too."""
        return list(dict.fromkeys([*self.cycle, *self.things]))

    def relation(self, item: Item) -> Relation:
        """What a name stands for: a family's things, or the people of a trade."""
        name = one_of(item, [*self.names, *self.trades], "family or trade")
        return Relation("person", name) if name in self.trades else Relation(name)

    def _links(self, item: Item) -> dict[str, Relation]:
        return {name: self.relation(to) for name, to in item.mapping().items()}

    def _title(self, name: str, item: Item, count: int) -> titles.Title:
        """How `count` things in a cycle get titles that are all different."""
        if item.value == name == "person":
            return titles.person
        if item.value == "town" and name == "settlement":
            return titles.town
        fields = item.section([], ["surname", "own_town", "any_town", "kind"])
        if "surname" in fields:
            return titles.surname(name, item.section(["surname"])["surname"].texts())
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
        if way == "own_town":
            return titles.own_town(name, form, kinds)
        return titles.any_town(name, form, kinds or ("",))
