"""Families of articles, each a file: what there is, what is told of it and in which words.

docs/microcosm.md says what a file holds and how to add one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ecqg.checking import NAME
from ecqg.errors import InputError
from ecqg.microcosm.families.articles import Family, read_family
from ecqg.microcosm.families.things import Known
from ecqg.microcosm.marked import Item, read

PACKAGED = Path(__file__).parent
OWN = Path("families")  # of the repository: families that come on top of those of this package


def catalogue(
    told: Sequence[str], own_folder: Path | None = None
) -> tuple[Known, dict[str, Family]]:
    """The things of this package and the repository's that are `told`, and the families told.

    All families of this package, where `told` is empty. Those of the repository are read from
    `own_folder`, by default OWN. Raises InputError for a family that there is not, and for the
    first mistake in a file.
    """
    known = _packaged()
    if told and "person" not in told:
        raise InputError(
            "microcosm.families lacks person, whom all other articles mention",
            file="params.yaml",
            remedy="add person",
        )
    own = {n: (own_folder or OWN) / f"{n}.yaml" for n in told if n not in known.years}
    for name, file in own.items():
        if name in known.things or not NAME.fullmatch(name) or not file.is_file():
            raise InputError(
                f"microcosm.families has no article type {name}",
                file="params.yaml",
                remedy=f"choose from {', '.join(known.years)}, or write {OWN}/NAME.yaml",
            )
    items = {name: read(file) for name, file in own.items()}
    known = replace(known, things={**known.things}, years={**known.years})
    for name, item in items.items():
        known.add(name, item)
    return known, {
        name: read_family(name, items[name], known) if name in items else _packaged_family(name)
        for name in told or known.years
    }


def files(told: Sequence[str]) -> list[Path]:
    """The data that a world is written from: all of this room, and the families `told`."""
    return [*sorted(PACKAGED.parent.rglob("*.yaml")), *own_files(told)]


def own_files(told: Sequence[str]) -> list[Path]:
    """Those of the families `told` that are the repository's."""
    return [file for name in told if (file := OWN / f"{name}.yaml").is_file()]


@cache
def _read(name: str) -> Item:
    return read(PACKAGED / f"{name}.yaml")


@cache
def _packaged() -> Known:
    """What the files of this package say, but for the articles."""
    world = _read("world").section(["cycle", "trades", "shared", "named"])
    named, cycle = world["named"].mapping(), world["cycle"].texts()
    known = Known(world["trades"].texts(), cycle)
    for name in world["shared"].texts():
        known.shared.update(_read(name).mapping())
    for name in cycle:
        known.add(name, named.get(name) or _read(name), told=name not in named)
    return known


@cache
def _packaged_family(name: str) -> Family:
    return read_family(name, _read(name), _packaged())
