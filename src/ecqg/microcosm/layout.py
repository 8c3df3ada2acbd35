"""Which facts a passage states, in which order, and which share a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from ecqg.microcosm.facts import Fact, Family, Value
from ecqg.microcosm.world import World

Stated: TypeAlias = tuple[Fact, dict[str, Value]]
Values: TypeAlias = Callable[[World, Family, int, Fact], dict[str, Value] | None]

FIVE = 0.45  # chance of five sentences; else six
FILLER = 0.12  # chance of a sentence that states no fact
PLACES = {"early": (0.0, 0.7), "any": (0.0, 1.0), "late": (0.6, 1.3)}  # zone to place in the text


def lay_out(
    world: World, family: Family, ordinal: int, part: int, rng: random.Random, values_of: Values
) -> list[list[Stated] | str]:
    """The facts of each sentence; a string is a filler sentence's template.

    The facts of a thing are dealt out to its passages, so that none is stated twice. The first
    passage starts with a definition, each with a sentence on the thing itself; facts about other
    things come late.
    """
    sentences = 5 if rng.random() < FIVE else 6
    filler = rng.random() < FILLER
    merges = sum(rng.random() < 0.22 for _ in range(sentences - 1)) + (rng.random() < 0.5)
    definition = [] if part else [_definition(world, family, ordinal, rng, values_of)]
    wanted = sentences + merges - filler - len(definition)
    facts = _choose(world, family, ordinal, part, wanted, rng, values_of)
    lead = definition or [_take_lead(facts)]
    spare = len(facts) - (sentences - 1 - filler)
    if spare > 0 and rng.random() < 0.6:
        second = next((s for s in facts if s[0].zone != "late" and s[0].predicates), None)
        if second is not None:
            facts.remove(second)
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


def _definition(
    world: World, family: Family, ordinal: int, rng: random.Random, values_of: Values
) -> Stated:
    fact = rng.choice(family.definitions)
    values = values_of(world, family, ordinal, fact)
    assert values is not None, f"{family.name}: a definition must always hold"
    return fact, values


def _choose(
    world: World,
    family: Family,
    ordinal: int,
    part: int,
    wanted: int,
    rng: random.Random,
    values_of: Values,
) -> list[Stated]:
    """Up to `wanted` of the facts that fall to this passage, in the order of the text."""
    parts = world.parts(family.name, ordinal)
    order = world.rng("layout", family.name, ordinal).sample(family.facts, len(family.facts))
    late = [fact for fact in order if fact.zone == "late"][part::parts]
    early = [fact for fact in order if fact.zone != "late"][part::parts]
    share = rng.choice((2, 2, 3)) if wanted < 7 else 3
    chosen: list[tuple[float, int, Stated]] = []
    for facts, most in ((late, share), (early, wanted)):
        for fact in rng.sample(facts, len(facts)):
            if most == 0 or len(chosen) == wanted:
                break
            values = values_of(world, family, ordinal, fact)
            if values is not None:
                place = rng.uniform(*PLACES[fact.zone])
                chosen.append((place, len(chosen), (fact, values)))
                most -= 1
    for fact in late:  # where the others are too few
        if len(chosen) >= wanted:
            break
        if all(fact is not stated[0] for _, _, stated in chosen):
            values = values_of(world, family, ordinal, fact)
            if values is not None:
                chosen.append((rng.uniform(*PLACES["late"]), len(chosen), (fact, values)))
    return [stated for _, _, stated in sorted(chosen, key=lambda c: c[:2])]


def _take_lead(facts: list[Stated]) -> Stated:
    """Remove and return the first fact that can open a later passage."""
    first = next((s for s in facts if s[0].zone != "late" and s[0].predicates), None)
    first = first or next(s for s in facts if s[0].predicates)
    facts.remove(first)
    return first
