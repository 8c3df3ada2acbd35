"""YAML whose values know the line that they stand on, so that a message can name it.

Scalars are texts as they are written: "no" is a word here, not a truth value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from ecqg.errors import InputError
from ecqg.files import read_text
from ecqg.microcosm.grammar import slots

DEEPEST = 20  # levels: more is no file that somebody wrote
Value: TypeAlias = "str | list[Item] | dict[str, Item]"


@dataclass(frozen=True, slots=True)
class Item:
    """A value of a file, with the line that it begins on (from 1)."""

    file: Path
    line: int
    value: Value
    block: bool = False  # a text of several lines, behind "|"

    def wrong(self, what: str, remedy: str) -> InputError:
        """What to raise about it."""
        return InputError(what, file=self.file, line=self.line, remedy=remedy)

    def section(self, needed: Sequence[str], **optional: str | None) -> dict[str, Item]:
        """Its values by key: all of `needed`, and of `optional`, each with a default or none."""
        found = self.mapping()
        known = [*needed, *optional]
        for key, item in found.items():
            if key not in known:
                raise item.wrong(f"unknown key {key}", f"known are {', '.join(known)}")
        for key in needed:
            if key not in found:
                raise self.wrong(f"no {key}", f"add '{key}:'")
        defaults = {key: text for key, text in optional.items() if text is not None}
        return {key: Item(self.file, self.line, text) for key, text in defaults.items()} | found

    def mapping(self) -> dict[str, Item]:
        """Its values by key, whatever the keys."""
        if not isinstance(self.value, dict) or not self.value:
            raise self.wrong(f"{self} is no mapping", "write 'key: value' lines")
        return self.value

    def text(self) -> str:
        """Its text: one line that says something."""
        if not isinstance(self.value, str) or not self.value.strip() or "\n" in self.value:
            raise self.wrong(f"{self} is no text of one line", "write one, in quotes if need be")
        return self.value

    def lines(self) -> list[Item]:
        """One item for each entry of a list or line of a block; a text of one line is one."""
        found = [self]
        if isinstance(self.value, list):
            found = self.value
        elif isinstance(self.value, str) and self.block:
            rows = enumerate(self.value.split("\n"), self.line + 1)
            found = [Item(self.file, line, row.strip()) for line, row in rows if row.strip()]
        if not found:
            raise self.wrong("nothing to choose from", "write one text on each line behind '|'")
        return found

    def texts(self) -> tuple[str, ...]:
        """The same as texts."""
        return tuple(item.text() for item in self.lines())

    def number(self, low: int = 0, high: int = 10**9) -> int:
        """Its whole number, from `low` to `high`."""
        text = self.value if isinstance(self.value, str) else ""
        if not (text.isascii() and text.isdigit() and len(text) < 11 and low <= int(text) <= high):
            raise self.wrong(f"{self} is no whole number from {low} to {high}", "write one")
        return int(text)

    def span(self) -> tuple[int, int]:
        """Its two numbers, the first not above the second."""
        if isinstance(self.value, list) and len(self.value) == 2:
            low, high = (item.number() for item in self.value)
            if low > high:
                raise self.wrong(f"{low} is above {high}", f"write [{high}, {low}]")
            return low, high
        raise self.wrong(f"{self} is no pair of numbers", "write such as [3, 12]")

    def one_of(self, known: Iterable[str], what: str) -> str:
        """Its text, which is one of `known`."""
        if self.text() not in known:
            remedy = f"choose from {', '.join(dict.fromkeys(known))}"
            raise self.wrong(f"no {what} {self.text()}", remedy)
        return self.text()

    def templates(self, known: Iterable[str]) -> tuple[str, ...]:
        """Its templates, whose slots are among `known`."""
        for line in self.lines():
            unknown = sorted(line.slots() - set(known))
            if unknown:
                there = ", ".join(f"{{{name}}}" for name in dict.fromkeys(known))
                raise line.wrong(f"there is no slot {{{unknown[0]}}}", f"here may stand {there}")
        return self.texts()

    def slots(self) -> frozenset[str]:
        """The slots of its one template."""
        try:
            used = slots(self.text())
        except (ValueError, RecursionError):
            remedy = "write [one|other] and {slot}"
            raise self.wrong("brackets that do not close, or none that opens", remedy) from None
        if any(mark in name for name in used for mark in "{}[]|"):
            raise self.wrong("brackets inside of a slot's name", "write {slot}")
        return used

    def __str__(self) -> str:
        """What a message calls it."""
        if isinstance(self.value, str):
            return repr(self.value if len(self.value) < 60 else f"{self.value[:60]}...")
        return "a list" if isinstance(self.value, list) else "a mapping"


def read(file: Path) -> Item:
    """A file's one YAML document. Raises InputError where it is none, or holds an alias."""
    text = read_text(file)
    try:
        # Events of libyaml's parser: its composer recurses, and crashes on a hostile file.
        return _document(file, YAML(typ="safe").parse(text))
    except MarkedYAMLError as error:
        what, mark = f"not YAML ({error.problem})", error.problem_mark
        line = mark.line + 1 if mark else None
    except (YAMLError, ValueError) as error:  # a character that YAML lacks
        what, line = f"not YAML ({error})", None
    raise InputError(what, file=file, line=line, remedy="mend the syntax")


def word_lists(file: Path) -> dict[str, list[str]]:
    """A file's lists of words, each a block behind its name."""
    lists = read(file).mapping()
    return {name: " ".join(item.texts()).split() for name, item in lists.items()}


def _document(file: Path, events: Iterator[Any]) -> Item:
    next(events)  # of the stream
    if not isinstance(next(events), DocumentStartEvent):
        raise InputError("an empty file", file=file, remedy="write 'key: value' lines")
    item = _item(file, next(events), events)
    next(events)  # of the document's end
    if isinstance(event := next(events), DocumentStartEvent):
        line = event.start_mark.line + 1
        raise InputError("a second document", file=file, line=line, remedy="keep one of the two")
    return item


def _item(file: Path, event: Any, events: Iterator[Any], depth: int = 0) -> Item:
    """The value that `event` begins."""
    line = event.start_mark.line + 1
    if isinstance(event, ScalarEvent):
        return Item(file, line, event.value, event.style == "|")
    value: list[Item] | dict[str, Item] = {} if isinstance(event, MappingStartEvent) else []
    item = Item(file, line, value)
    if isinstance(event, AliasEvent):
        raise item.wrong("an alias", "write out what it stands for")
    if depth == DEEPEST:
        raise item.wrong("nested too deeply", "mend the syntax")
    while not isinstance(event := next(events), MappingEndEvent | SequenceEndEvent):
        inner = _item(file, event, events, depth + 1)
        if isinstance(value, list):
            value.append(inner)
        elif inner.text() in value:
            raise inner.wrong(f"{inner.value} stands twice", "keep one of the two")
        else:
            value[inner.text()] = _item(file, next(events), events, depth + 1)
    return item
