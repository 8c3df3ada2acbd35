"""The ways in which things of a family get their titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

Title: TypeAlias = "Callable[[World, int], str]"


def person(world: World, ordinal: int) -> str:
    """A person's full name."""
    return world.person_name(ordinal)[2]


def town(world: World, ordinal: int) -> str:
    """A settlement's name."""
    return world.town_name(ordinal)


def surname(family: str, endings: Sequence[str]) -> Title:
    """Such as "Hartley Industries", after a surname that people bear too."""
    return lambda world, ordinal: world.surnamed(family, ordinal, endings)


def own_town(family: str, form: str, kinds: Sequence[str]) -> Title:
    """Such as "Ashham Music Festival": no two things of the family share a town."""

    def title(world: World, ordinal: int) -> str:
        place = world.permutation(world.count("settlement"), family)(ordinal)
        kind = kinds[world.number(family, ordinal) % len(kinds)] if kinds else ""
        return form.format(town=world.town_name(place), kind=kind)

    return title


def any_town(family: str, form: str, kinds: Sequence[str]) -> Title:
    """Such as "The Clockmaker of Ashham": no two things share both the town and the kind."""

    def title(world: World, ordinal: int) -> str:
        code = world.permutation(len(kinds) * world.count("settlement"), family)(ordinal)
        place, kind = divmod(code, len(kinds))
        return form.format(town=world.town_name(place), kind=kinds[kind])

    return title
