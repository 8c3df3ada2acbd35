"""Checks of the words and templates of a family's file."""

from __future__ import annotations

from collections.abc import Iterable

from ecqg.microcosm.grammar import slots
from ecqg.microcosm.marked import Item


def one_of(item: Item, known: Iterable[str], what: str) -> str:
    """The item's text, which is one of `known`."""
    text = item.text()
    if text not in known:
        raise item.wrong(f"no {what} {text}", f"choose from {', '.join(dict.fromkeys(known))}")
    return text


def templates(item: Item, known: Iterable[str]) -> tuple[str, ...]:
    """The item's templates, whose slots are among `known`."""
    for line in item.lines():
        unknown = sorted(used_slots(line) - set(known))
        if unknown:
            there = ", ".join(f"{{{name}}}" for name in dict.fromkeys(known))
            raise line.wrong(f"there is no slot {{{unknown[0]}}}", f"here may stand {there}")
    return item.texts()


def used_slots(line: Item) -> frozenset[str]:
    """The slots of one template."""
    try:
        used = slots(line.text())
    except (ValueError, RecursionError):
        remedy = "write [one|other] and {slot}"
        raise line.wrong("brackets that do not close, or none that opens", remedy) from None
    if any(mark in name for name in used for mark in "{}[]|"):
        raise line.wrong("brackets inside of a slot's name", "write {slot}")
    return used
