"""What the encyclopedia's writers fill in: families of articles and kinds of fact, as data."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

REGISTERS = {"t": "train", "h": "held", "w": "keyword", "c": "clue"}


@dataclass(frozen=True, slots=True)
class Value:
    """A slot's value: its text, and its OntoNotes type or THING for a common noun."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Case:
    """What a slot is drawn from: one slot of one article's fact, and the slots drawn before it."""

    world: World
    family: str
    ordinal: int
    fact: str
    slot: str
    attributes: Mapping[str, Value]
    values: Mapping[str, Value]
    rng: random.Random

    def year(self, name: str) -> int:
        """A year among the values or the attributes."""
        return int((self.values[name] if name in self.values else self.attributes[name]).text)


Draw: TypeAlias = "Callable[[Case], Value | None]"
Check: TypeAlias = "Callable[[World, str, int], bool]"  # of a family and an ordinal


@dataclass(frozen=True, slots=True)
class Wordings:
    """Question templates for one slot of a fact, by register.

    `train` may appear anywhere, `held` only in nq_like, uniform and tail test questions, `keyword`
    only in webq_like, `clue` only in trivia_like ({D} there is a description of the subject).
    """

    train: tuple[str, ...]
    held: tuple[str, ...]
    keyword: tuple[str, ...]
    clue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A kind of fact: what it holds, how sentences state it, what can be asked about it.

    `says` are sentences without the full stop; one that starts with "{S} " can be merged with
    others. `verbs` describe the subject in long questions ("was born in {place}"). `zone` is where
    in the article it belongs: "early", "any" or "late"; late ones tell of other entities.
    """

    name: str
    draws: Mapping[str, Draw]
    says: tuple[str, ...]
    asks: Mapping[str, Wordings]
    verbs: tuple[str, ...]
    zone: str

    @property
    def predicates(self) -> list[str]:
        """The wordings that start with the subject alone, without it."""
        starts = (w for w in self.says if w.startswith("{S} ") and not w.startswith("{S} and "))
        return [wording[4:] for wording in starts]


@dataclass(frozen=True, slots=True)
class Family:
    """A type of article."""

    name: str
    entities: int  # things of this type in each cycle of the world
    parts: tuple[int, ...]  # passages of the first, second, ... of them, over and over
    type: str  # OntoNotes type of its titles
    title: Callable[[World, int], str]
    attributes: Callable[[World, int], dict[str, Value]]
    mentions: tuple[str, ...]  # what the subject is called after the first sentence
    appositions: tuple[str, ...]  # what tells in a later passage what it is about
    descriptions: tuple[tuple[str, Check], ...]  # instead of the title, where the check holds
    definition: Fact  # what the first passage starts with
    facts: tuple[Fact, ...]
    fillers: tuple[str, ...]
    frame: str = "{}"  # the title in running text: 'the {}', '"{}"'
    relative: str = "that"


def lines(text: str) -> tuple[str, ...]:
    """The non-empty lines of a text block, stripped."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def fact(
    name: str,
    draws: Mapping[str, Draw],
    says: str,
    asks: Mapping[str, str],
    verbs: str = "",
    zone: str = "any",
) -> Fact:
    """A fact kind from text blocks; a line of `asks` is "t: who founded {S}" (see Wordings)."""
    wordings: dict[str, Wordings] = {}
    for slot, block in asks.items():
        found: dict[str, list[str]] = {register: [] for register in REGISTERS.values()}
        for line in lines(block):
            register, _, template = line.partition(": ")
            found[REGISTERS[register]].append(template)
        wordings[slot] = Wordings(**{name: tuple(templates) for name, templates in found.items()})
    return Fact(name, draws, lines(says), wordings, lines(verbs), zone)
