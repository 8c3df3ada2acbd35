"""Which facts a passage states, in which order, and which share a sentence."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TypeAlias

from ecqg.errors import InputError
from ecqg.microcosm.families.articles import Fact, Family
from ecqg.microcosm.families.draws import Case, Value
from ecqg.microcosm.world import World

Stated: TypeAlias = tuple[Fact, dict[str, Value]]

FIVE = 0.45  # chance of five sentences; else six
FILLER = 0.12  # chance of a sentence that states no fact
MERGED = 0.22  # chance, per sentence, of one fact more than there are sentences
FULL_LEAD = 0.6  # chance that the first sentence is among those with two
THINGS = 16_384  # whose facts are kept: questions come back to them
PLACES = {"early": (0.0, 0.7), "any": (0.0, 1.0), "late": (0.6, 1.3)}  # zone to place in the text


def values_of(world: World, family: Family, ordinal: int, fact: Fact) -> dict[str, Value] | None:
    """The values of a fact, whether a passage states it or not; None where it does not hold."""
    attributes = world.attributes(family.name, ordinal)
    values: dict[str, Value] = {}
    rng = world.rng("fact", family.name, ordinal, fact.name)
    for slot, draw in fact.draws.items():
        value = draw.value(
            Case(world, family.name, ordinal, fact.name, slot, attributes, values, rng)
        )
        if value is None:
            return None
        values[slot] = value
    return values


def share_of(world: World, family: Family, ordinal: int, part: int) -> list[Stated]:
    """The facts that hold of a thing and fall to one of its passages.

    They are dealt out to its passages in turn, so that no two passages state the same.
    """
    return _held(world, family, ordinal)[part :: world.parts(family.name, ordinal)]


@lru_cache(maxsize=THINGS)
def _held(world: World, family: Family, ordinal: int) -> list[Stated]:
    """All facts that hold of a thing, in the order in which they are dealt out."""
    order = world.rng("layout", family.name, ordinal).sample(family.facts, len(family.facts))
    held = [(fact, values_of(world, family, ordinal, fact)) for fact in order]
    stated = [(fact, values) for fact, values in held if values is not None]
    stated.sort(key=lambda one: one[0].zone == "late")
    return stated


def lay_out(
    family: Family, share: list[Stated], definition: Stated | None, rng: random.Random
) -> list[list[Stated] | str]:
    """The facts of each sentence; a string is a filler sentence's template.

    The first sentence says what the subject is (`definition`, or else a fact whose wording can
    follow an apposition); facts about other things come late.
    """
    sentences = 5 if rng.random() < FIVE else 6
    filler = rng.random() < FILLER and len(share) >= sentences
    merges = sum(rng.random() < MERGED for _ in range(sentences))
    facts = _choose(share, sentences + merges - filler - (definition is not None), rng)
    first = definition or _take(facts, late=False) or _take(facts, late=True)
    if first is None:
        raise InputError(
            f"no fact of a {family.name} can begin a passage",
            remedy="add facts that have a wording which begins with {S}",
        )
    lead = [first]
    spare = len(facts) - (sentences - 1 - filler)
    if spare > 0 and rng.random() < FULL_LEAD:
        second = _take(facts, late=False)
        if second is not None:
            lead.append(second)
            spare -= 1
    groups: list[list[Stated] | str] = [lead]
    while facts and len(groups) < sentences - filler:
        group = [facts.pop(0)]
        if spare > 0 and facts and group[0][0].predicates and facts[0][0].predicates:
            group.append(facts.pop(0))
            spare -= 1
        groups.append(group)
    if filler:
        groups.insert(rng.randint(2, len(groups)), rng.choice(family.fillers))
    return groups


def _choose(share: list[Stated], wanted: int, rng: random.Random) -> list[Stated]:
    """Up to `wanted` facts, two or three of them about other things, in the order of the text."""
    shuffled = rng.sample(share, len(share))
    late = [one for one in shuffled if one[0].zone == "late"]
    other = [one for one in shuffled if one[0].zone != "late"]
    most = 3 if wanted >= 7 else rng.choice((2, 2, 3))
    chosen = (late[:most] + other)[:wanted]
    chosen += late[most : most + wanted - len(chosen)]  # where the others are too few
    places = [rng.uniform(*PLACES[fact.zone]) for fact, _ in chosen]
    return [chosen[i] for i in sorted(range(len(chosen)), key=places.__getitem__)]


def _take(facts: list[Stated], *, late: bool) -> Stated | None:
    """Remove and return the first fact that has a wording without the subject."""
    for i, (fact, _) in enumerate(facts):
        if fact.predicates and (fact.zone == "late") == late:
            return facts.pop(i)
    return None
