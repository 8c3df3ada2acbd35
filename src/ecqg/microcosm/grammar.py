"""The template language in which the articles' sentences and questions are written.

`{name}` is a slot; `[a|b|]` picks one alternative (brackets nest); "a" right before a slot or an
alternative becomes "an" where that is called for. Templates are parsed once, rendered often.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

Text: TypeAlias = str
_ARTICLE = re.compile(r"(?:^|\s)a $", re.IGNORECASE)


class Slot(str):
    """The name of a slot."""

    __slots__ = ()


class Choice(tuple["Template", ...]):
    """Alternatives, one of which is taken."""

    __slots__ = ()


Template: TypeAlias = "tuple[Text | Slot | Choice, ...]"


@cache
def parse(text: str) -> Template:
    """The template that `text` writes. Raises ValueError for unbalanced brackets."""
    template, rest = _parse(text, 0, top=True)
    if rest != len(text):
        raise ValueError(f"unbalanced brackets in {text!r}")
    return template


def _parse(text: str, at: int, *, top: bool) -> tuple[Template, int]:
    parts: list[Text | Slot | Choice] = []
    literal = at
    while at < len(text):
        mark = text[at]
        if mark in "{[" or (not top and mark in "|]"):
            if at > literal:
                parts.append(text[literal:at])
            if mark in "|]":
                return tuple(parts), at
            if mark == "{":
                end = text.index("}", at)
                parts.append(Slot(text[at + 1 : end]))
                at = end + 1
            else:
                options: list[Template] = []
                while text[at] != "]":
                    option, at = _parse(text, at + 1, top=False)
                    if at >= len(text):
                        raise ValueError(f"unclosed bracket in {text!r}")
                    options.append(option)
                parts.append(Choice(options))
                at += 1
            literal = at
        else:
            at += 1
    if at > literal:
        parts.append(text[literal:at])
    return tuple(parts), at


@cache
def slots(text: str) -> frozenset[str]:
    """Every slot that some rendering of a template may need."""

    def walk(template: Template) -> set[str]:
        found: set[str] = set()
        for part in template:
            if isinstance(part, Slot):
                found.add(str(part))
            elif isinstance(part, Choice):
                for option in part:
                    found |= walk(option)
        return found

    return frozenset(walk(parse(text)))


class Pen:
    """Writes text piece by piece and remembers where each slot's value came to stand."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.length = 0
        self.spans: list[tuple[str, int, int]] = []  # slot, start, end
        self._article = False

    def write(self, text: str) -> None:
        """Append text, settling an open "a " by its first letter."""
        if not text:
            return
        if self._article:
            self._article = False
            # A vowel letter decides; the templates avoid words such as "hour" and "unit".
            self._put("an " if text[0] in "aeiouAEIO8" else "a ")
        if _ARTICLE.search(text):
            self._article = True
            text = text[:-2]
        self._put(text)

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)

    def render(self, template: Template, value: Callable[[str], str], rng: random.Random) -> None:
        """Append a template, with values for its slots."""
        for part in template:
            if isinstance(part, Slot):
                text = value(part)
                self.write(text)
                self.spans.append((str(part), self.length - len(text), self.length))
            elif isinstance(part, Choice):
                self.render(part[rng.randrange(len(part))], value, rng)
            else:
                self.write(part)

    def text(self) -> str:
        """What has been written."""
        return "".join(self._pieces)


def fill(template: str, value: Callable[[str], str], rng: random.Random) -> str:
    """A template as plain text."""
    pen = Pen()
    pen.render(parse(template), value, rng)
    return pen.text()


def capitalise(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def possessive(name: str) -> str:
    """The genitive of a name."""
    return name + ("'" if name.endswith("s") else "'s")
