"""What the encyclopedia is written from: things, families of articles about them, kinds of fact."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ecqg.microcosm.world import World

TYPES = (  # of OntoNotes, and THING for a common noun
    "PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW",
    "LANGUAGE", "DATE", "CARDINAL", "THING",
)  # fmt: skip


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
        """A year among values or attributes, or that of what a link leads to: "author.born"."""
        link, _, attribute = name.rpartition(".")
        if link:
            family, ordinal = self.world.follow(link, self.family, self.ordinal)
            return int(self.world.attributes(family, ordinal)[attribute].text)
        return int((self.values[name] if name in self.values else self.attributes[name]).text)


Draw: TypeAlias = "Callable[[Case], Value | None]"


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
    frame: str  # the title in running text: "{}", 'the {}', '"{}"'
    links: Mapping[str, Relation]


@dataclass(frozen=True, slots=True)
class Family:
    """A type of article."""

    name: str
    parts: tuple[int, ...]  # passages of the first, second, ... thing, over and over
    attributes: Mapping[str, Draw]  # what all its facts may name, in the order drawn
    mentions: tuple[str, ...]  # what the subject is called after the first sentence
    appositions: tuple[str, ...]  # what tells in a later passage what it is about
    descriptions: tuple[str, ...]  # instead of the title, where it is alone
    alone_in: str  # a link, "county" or "surname", within which no other may have its noun
    definition: Fact  # what the first passage starts with
    facts: tuple[Fact, ...]
    fillers: tuple[str, ...]
    relative: str  # "that" or "who"
