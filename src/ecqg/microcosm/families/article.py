"""From a family's file to the family: its facts, wordings and questions."""

from __future__ import annotations

from collections.abc import Mapping

from ecqg.errors import InputError
from ecqg.microcosm import draws
from ecqg.microcosm.facts import Draw, Fact, Family, Wordings
from ecqg.microcosm.families.known import NAMING, NAMING_TOO, Known
from ecqg.microcosm.families.slots import Scope, read_draw
from ecqg.microcosm.families.words import one_of, templates, used_slots
from ecqg.microcosm.marked import Item

NEEDED = [
    *NAMING,
    "passages",
    "attributes",
    "mentions",
    "appositions",
    "fillers",
    "definition",
    "facts",
]
OPTIONAL = [*NAMING_TOO, "relative", "descriptions", "shared"]
ZONES = ("early", "any", "late")
REGISTERS = ("train", "held", "keyword", "clue")
SUBJECT = ("S", "S's")
PRONOUNS = ("they", "them", "their")
FACTS_A_PASSAGE = 5


def read_family(name: str, item: Item, known: Known) -> Family:
    """The family that a file holds. Raises InputError for the first mistake in it."""
    fields = item.section(NEEDED, OPTIONAL)
    thing = known.things[name]
    attributes: dict[str, Draw] = {}
    scope = Scope(known, thing, attributes)
    for attribute, drawn in fields["attributes"].mapping().items():
        attributes[attribute] = read_draw(attribute, drawn, scope)
    if "noun" not in attributes:
        raise fields["attributes"].wrong("no noun", "add what things of the family are called")
    definition = _definition(fields["definition"], scope)
    facts = tuple(
        read_fact(key, fact, scope) for key, fact in fields["facts"].mapping().items()
    ) + tuple(_shared(fields["shared"], scope) if "shared" in fields else ())
    names = [fact.name for fact in (definition, *facts)]
    for key in names:
        if names.count(key) > 1:
            raise item.wrong(f"two facts {key}", "name one otherwise")
    parts = tuple(part.number(1, 10) for part in fields["passages"].lines())
    opening = [fact for fact in facts if fact.predicates and _always_holds(fact)]
    if len(opening) < FACTS_A_PASSAGE * max(parts):
        raise fields["facts"].wrong(
            f"{len(opening)} facts that hold of everything and can begin with {{S}}",
            f"write {FACTS_A_PASSAGE} or more for each of {max(parts)} passages",
        )
    described = fields.get("descriptions")
    about = described.section(["alone_in", "wordings"]) if described else {}
    own = [*SUBJECT, *PRONOUNS, *attributes]
    return Family(
        name=name,
        parts=parts,
        attributes=attributes,
        mentions=templates(fields["mentions"], attributes),
        appositions=templates(fields["appositions"], attributes),
        descriptions=templates(about["wordings"], attributes) if about else (),
        alone_in=one_of(about["alone_in"], _groups(scope), "group") if about else "",
        definition=definition,
        facts=facts,
        fillers=templates(fields["fillers"], own),
        relative=one_of(fields["relative"], ("that", "who"), "pronoun")
        if "relative" in fields
        else "that",
    )


def _always_holds(fact: Fact) -> bool:
    return not any(isinstance(draw, draws.Source) for draw in fact.draws.values())


def _groups(scope: Scope) -> list[str]:
    """Within what a thing may be the only one of its noun."""
    return [*scope.thing.links, "county", *(["surname"] if scope.thing.name == "person" else [])]


def _definition(item: Item, scope: Scope) -> Fact:
    """The fact that says what a thing is; it always holds, and each wording names the thing."""
    (name, part), *more = item.mapping().items()
    if more:
        raise more[0][1].wrong("two definitions", "keep one")
    fact = read_fact(name, part, scope)
    for slot, draw in fact.draws.items():
        if not isinstance(draw, draws.Attribute):
            found = part.mapping()["slots"].mapping()[slot]
            raise found.wrong(f"{slot} is no attribute", "draw it among the attributes")
    for line in part.mapping()["says"].lines():
        if "S" not in used_slots(line):
            raise line.wrong("a definition without {S}", "name what it defines")
    return fact


def _shared(item: Item, scope: Scope) -> list[Fact]:
    """Facts of other files."""
    facts = []
    for line in item.lines():
        name = one_of(line, scope.known.shared, "shared fact")
        try:
            facts.append(read_fact(name, scope.known.shared[name], scope))
        except InputError as error:
            raise line.wrong(f"{name} does not fit here ({error})", "leave it out") from None
    return facts


def read_fact(name: str, item: Item, scope: Scope) -> Fact:
    """A kind of fact."""
    fields = item.section(["slots", "says", "asks"], ["zone", "verbs"])
    slots: dict[str, Draw] = {}
    inner = Scope(scope.known, scope.thing, scope.attributes, slots)
    for slot, drawn in fields["slots"].mapping().items():
        slots[slot] = read_draw(slot, drawn, inner)
    words = [*slots, *SUBJECT, "D", "noun"]
    asks = {
        slot: _questions(slot, questions, slots, words)
        for slot, questions in fields["asks"].mapping().items()
    }
    return Fact(
        name,
        slots,
        templates(fields["says"], [*SUBJECT, *PRONOUNS, *slots, *scope.attributes]),
        asks,
        templates(fields["verbs"], slots) if "verbs" in fields else (),
        one_of(fields["zone"], ZONES, "zone") if "zone" in fields else "any",
    )


def _questions(slot: str, item: Item, slots: Mapping[str, Draw], words: list[str]) -> Wordings:
    """The questions that ask for a slot, by register."""
    if slot not in slots:
        raise item.wrong(f"there is no slot {slot}", f"ask for one of {', '.join(slots)}")
    fields = item.section(REGISTERS)
    for line in (line for register in REGISTERS for line in fields[register].lines()):
        if slot in used_slots(line):
            raise line.wrong(f"a question for {{{slot}}} that names it", "leave it out")
    for line in fields["clue"].lines():
        if "D" not in used_slots(line):
            raise line.wrong("a clue without {D}", "write {D} where it describes the subject")
    return Wordings(*(templates(fields[register], words) for register in REGISTERS))
