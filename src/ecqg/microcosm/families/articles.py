"""From a family's file to the family: its facts, wordings and questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ecqg.errors import InputError
from ecqg.microcosm.families.draws import Draw, Scope, read_draw
from ecqg.microcosm.families.things import NEEDED, OPTIONAL, Known
from ecqg.microcosm.marked import Item

ZONES = ("early", "any", "late")
# Of questions: `train` may appear anywhere, `held` only in nq_like, uniform and tail test
# questions, `keyword` only in webq_like, `clue` only in trivia_like ({D} describes the subject).
REGISTERS = ("train", "held", "keyword", "clue")
SUBJECT = ("S", "S's")
PRONOUNS = ("they", "them", "their")
FACTS_A_PASSAGE = 5


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
    asks: Mapping[str, Mapping[str, tuple[str, ...]]]  # questions by slot and register
    verbs: tuple[str, ...]
    zone: str

    @property
    def predicates(self) -> list[str]:
        """The wordings that start with the subject alone, without it."""
        starts = (w for w in self.says if w.startswith("{S} ") and not w.startswith("{S} and "))
        return [wording[4:] for wording in starts]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A type of article; equal to itself alone, so that results can be kept for it."""

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


def read_family(name: str, item: Item, known: Known) -> Family:
    """The family that a file holds. Raises InputError for the first mistake in it."""
    fields = item.section(NEEDED, **OPTIONAL)
    attributes: dict[str, Draw] = {}
    scope = Scope(known, known.things[name], attributes)
    for attribute, drawn in fields["attributes"].mapping().items():
        attributes[attribute] = read_draw(attribute, drawn, scope)
    if "noun" not in attributes:
        raise fields["attributes"].wrong("no noun", "add what things of the family are called")
    definition = _definition(fields["definition"], scope)
    facts = [_fact(key, fact, scope) for key, fact in fields["facts"].mapping().items()]
    for line in fields["shared"].lines() if "shared" in fields else ():
        shared = line.one_of(known.shared, "shared fact")
        try:
            facts.append(_fact(shared, known.shared[shared], scope))
        except InputError as error:
            raise line.wrong(f"{shared} does not fit here ({error})", "leave it out") from None
    names = [fact.name for fact in (definition, *facts)]
    for key in names:
        if names.count(key) > 1:
            raise item.wrong(f"two facts {key}", "name one otherwise")
    parts = tuple(part.number(1, 10) for part in fields["passages"].lines())
    always = (f for f in facts if all(draw.kind != "linked" for draw in f.draws.values()))
    opening = sum(bool(fact.predicates) for fact in always)
    if opening < FACTS_A_PASSAGE * max(parts):
        raise fields["facts"].wrong(
            f"{opening} facts that hold of everything and can begin with {{S}}",
            f"write {FACTS_A_PASSAGE} or more for each of {max(parts)} passages",
        )
    about = {}
    if "descriptions" in fields:
        about = fields["descriptions"].section(["alone_in", "wordings"])
    groups = [*scope.thing.links, "county", *(["surname"] if name == "person" else [])]
    return Family(
        name=name,
        parts=parts,
        attributes=attributes,
        mentions=fields["mentions"].templates(attributes),
        appositions=fields["appositions"].templates(attributes),
        descriptions=about["wordings"].templates(attributes) if about else (),
        alone_in=about["alone_in"].one_of(groups, "group") if about else "",
        definition=definition,
        facts=tuple(facts),
        fillers=fields["fillers"].templates([*SUBJECT, *PRONOUNS, *attributes]),
        relative=fields["relative"].one_of(("that", "who"), "pronoun"),
    )


def _definition(item: Item, scope: Scope) -> Fact:
    """The fact that says what a thing is; it always holds, and each wording names the thing."""
    (name, part), *more = item.mapping().items()
    if more:
        raise more[0][1].wrong("two definitions", "keep one")
    fact = _fact(name, part, scope)
    for slot, drawn in part.mapping()["slots"].mapping().items():
        if fact.draws[slot].kind != "attribute":
            raise drawn.wrong(f"{slot} is no attribute", "draw it among the attributes")
    for line in part.mapping()["says"].lines():
        if "S" not in line.slots():
            raise line.wrong("a definition without {S}", "name what it defines")
    return fact


def _fact(name: str, item: Item, scope: Scope) -> Fact:
    fields = item.section(["slots", "says", "asks"], zone="any", verbs=None)
    slots: dict[str, Draw] = {}
    inner = Scope(scope.known, scope.thing, scope.attributes, slots)
    for slot, drawn in fields["slots"].mapping().items():
        slots[slot] = read_draw(slot, drawn, inner)
    asks = {slot: _wordings(slot, asked, slots) for slot, asked in fields["asks"].mapping().items()}
    return Fact(
        name,
        slots,
        fields["says"].templates([*SUBJECT, *PRONOUNS, *slots, *scope.attributes]),
        asks,
        fields["verbs"].templates(slots) if "verbs" in fields else (),
        fields["zone"].one_of(ZONES, "zone"),
    )


def _wordings(slot: str, item: Item, slots: Mapping[str, Draw]) -> dict[str, tuple[str, ...]]:
    """The questions that ask for a slot, by register."""
    if slot not in slots:
        raise item.wrong(f"there is no slot {slot}", f"ask for one of {', '.join(slots)}")
    fields = item.section(REGISTERS)
    for line in (line for register in REGISTERS for line in fields[register].lines()):
        if slot in line.slots():
            raise line.wrong(f"a question for {{{slot}}} that names it", "leave it out")
    for line in fields["clue"].lines():
        if "D" not in line.slots():
            raise line.wrong("a clue without {D}", "write {D} where it describes the subject")
    words = [*slots, *SUBJECT, "D", "noun"]
    return {register: fields[register].templates(words) for register in REGISTERS}
