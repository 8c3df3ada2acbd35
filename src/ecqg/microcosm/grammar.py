"""The template language in which the articles' sentences and questions are written.

`{name}` is a slot; `[a|b|]` picks one alternative (brackets nest); "a" right before a slot or an
alternative becomes "an" where that is called for. Templates are parsed once, rendered often.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

_ARTICLE = re.compile(r"(?:^|\s)a $", re.IGNORECASE)
_TOKENS = re.compile(r"(\{[^}]*\}|[\[|\]])")


class Slot(str):
    """The name of a slot."""

    __slots__ = ()


class Choice(tuple["Template", ...]):
    """Alternatives, one of which is taken."""

    __slots__ = ()


Template: TypeAlias = "tuple[str | Slot | Choice, ...]"


@cache
def parse(text: str) -> Template:
    """The template that `text` writes. Raises ValueError for unbalanced brackets."""
    return _parse(iter(_TOKENS.split(text)), ())[0]


def _parse(tokens: Iterator[str], ends: tuple[str, ...]) -> tuple[Template, str]:
    """The template up to one of the tokens `ends`, and which of them that is."""
    parts: list[str | Slot | Choice] = []
    for token in tokens:
        if token in ends:
            return tuple(parts), token
        if token == "[":
            options: list[Template] = []
            end = "|"
            while end == "|":
                option, end = _parse(tokens, ("|", "]"))
                options.append(option)
            parts.append(Choice(options))
        elif token.endswith("}") and token.startswith("{"):
            parts.append(Slot(token[1:-1]))
        elif "{" in token:
            raise ValueError("a brace that does not close")
        elif token:
            parts.append(token)
    if ends:
        raise ValueError("a bracket that does not close")
    return tuple(parts), ""


@cache
def slots(text: str) -> frozenset[str]:
    """Every slot that some rendering of a template may need. Raises ValueError as `parse` does."""
    parse(text)
    return frozenset(re.findall(r"\{([^}]*)\}", text))


class Pen:
    """Writes text piece by piece and remembers where each slot's value came to stand."""

    def __init__(self) -> None:
        self.text = ""
        self.spans: list[tuple[str, int, int]] = []  # slot, start, end
        self._article = False  # whether an "a " is open, to be settled by what follows

    def write(self, text: str) -> None:
        """Append text, settling an open "a " by its first letter."""
        if not text:
            return
        if self._article:
            # A vowel letter decides; the templates avoid words such as "hour" and "unit".
            self.text += "an " if text[0] in "aeiouAEIO8" else "a "
        self._article = bool(_ARTICLE.search(text))
        self.text += text[:-2] if self._article else text

    def render(self, template: Template, value: Callable[[str], str], rng: random.Random) -> None:
        """Append a template, with values for its slots."""
        for part in template:
            if isinstance(part, Slot):
                text = value(part)
                self.write(text)
                self.spans.append((str(part), len(self.text) - len(text), len(self.text)))
            elif isinstance(part, Choice):
                self.render(rng.choice(part), value, rng)
            else:
                self.write(part)


def fill(template: str, value: Callable[[str], str], rng: random.Random) -> str:
    """A template as plain text."""
    pen = Pen()
    pen.render(parse(template), value, rng)
    return pen.text


def capitalise(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def possessive(name: str) -> str:
    """The genitive of a name."""
    return name + ("'" if name.endswith("s") else "'s")
