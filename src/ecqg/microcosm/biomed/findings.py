"""What abstracts are written from: studies and kinds of finding, each study a file beside this."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from ecqg.microcosm.biomed.vocabulary import COINED, Field, Name, form
from ecqg.microcosm.marked import Item, read

STUDIES = ("genetics", "expression", "pharmacology", "trial", "clinic")
TOPIC = ("gene", "drug", "disease", "trial")  # slots that every study has
Draw: TypeAlias = Callable[[Field, random.Random], Name]


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind of finding: what it holds, sentences that state it, and questions for its slots."""

    name: str
    draws: Mapping[str, Draw]
    says: tuple[str, ...]
    asks: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Study:
    """A type of abstract. The first finding follows the opening; the others come in any order."""

    name: str
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    findings: tuple[Finding, ...]
    closings: tuple[str, ...]


@cache
def studies() -> tuple[Study, ...]:
    """All types of abstract."""
    return tuple(_study(name, _file(name)) for name in STUDIES)


@cache
def methods() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sentences on methods, which state nothing that is asked for, and phrases before findings."""
    fields = _file("methods").section(["methods", "leads"])
    return fields["methods"].templates(()), fields["leads"].templates(())


def _file(name: str) -> Item:
    return read(Path(__file__).with_name(f"{name}.yaml"))


def _study(name: str, item: Item) -> Study:
    fields = item.section(["titles", "openings", "findings", "closings"])
    return Study(
        name,
        fields["titles"].templates(TOPIC),
        fields["openings"].templates(TOPIC),
        tuple(_finding(*pair) for pair in fields["findings"].mapping().items()),
        fields["closings"].templates(TOPIC),
    )


def _finding(name: str, item: Item) -> Finding:
    fields = item.section(["slots", "says", "asks"])
    draws = {slot: _draw(drawn) for slot, drawn in fields["slots"].mapping().items()}
    known = [*TOPIC, *draws]
    asks = {slot: asked.templates(known) for slot, asked in fields["asks"].mapping().items()}
    return Finding(name, draws, fields["says"].templates(known), asks)


def _draw(item: Item) -> Draw:
    """A list of terms, {any: gene}, what is coined, or a form such as "{2..96} hours"."""
    if isinstance(item.value, list):
        names = [Name(term) for term in item.texts()]
        return lambda field, rng: rng.choice(names)
    if isinstance(item.value, dict):
        kind = item.section(["any"])["any"].one_of(TOPIC, "kind of name")
        return lambda field, rng: rng.choice(field.names(kind))
    coin = form(item.text()) if ".." in item.text() else COINED[item.one_of(COINED, "way to draw")]
    return lambda field, rng: coin(rng)
