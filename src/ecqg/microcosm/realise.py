"""From facts to prose: one article, written from its index alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ecqg.microcosm.facts import Case, Fact, Family, Value
from ecqg.microcosm.grammar import Pen, capitalise, fill, parse, possessive
from ecqg.microcosm.world import World

MIN_WORDS, MAX_WORDS = 60, 110
ATTEMPTS = 12  # at an article of a permitted length
ASIDES = (
    "according to [local|surviving|the oldest] records, ",
    "by most accounts, ",
    "as contemporaries noted, ",
    "as is widely known, ",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as an article states it. `spans` are character offsets of its slots in the text."""

    fact: Fact
    values: dict[str, Value]
    sentence: int
    spans: dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Article:
    """One passage and what it says. `starts` are character offsets of its sentences."""

    index: int
    family: str
    ordinal: int
    title: str
    text: str
    starts: tuple[int, ...]
    statements: tuple[Statement, ...]

    @property
    def id(self) -> str:
        """The passage id: from 1."""
        return str(self.index + 1)

    def key(self, fact: str, slot: str) -> str:
        """The key by which two questions are known to ask for the same."""
        return f"{self.index + 1}:{fact}:{slot}"


class Subject:
    """How an article speaks of what it is about."""

    def __init__(self, world: World, family: Family, ordinal: int) -> None:
        self.title = world.title(family.name, ordinal)
        self.family, self.attributes = family, world.attributes(family.name, ordinal)
        human = family.name == "person"
        woman = human and world.is_woman(ordinal)
        self.pronouns = {
            "they": "she" if woman else "he" if human else "it",
            "them": "her" if woman else "him" if human else "it",
            "their": "her" if woman else "his" if human else "its",
            "themself": "herself" if woman else "himself" if human else "itself",
        }

    def mention(self, rng: random.Random, *, first: bool, pronoun: bool) -> str:
        """A name for the subject: its title in the first sentence, later often something else."""
        if first:
            return self.title
        draw = rng.random()
        if pronoun and draw < 0.4:
            return self.pronouns["they"]
        if draw < 0.85 and self.family.mentions:
            template = self.family.mentions[rng.randrange(len(self.family.mentions))]
            return fill(template, lambda slot: self.attributes[slot].text, rng)
        return self.title


class Sentence:
    """One sentence under construction."""

    def __init__(self, subject: Subject, rng: random.Random, *, first: bool, pronoun: bool) -> None:
        self.subject, self.rng, self.pen = subject, rng, Pen()
        self.first, self.pronoun = first, pronoun
        self.spans: list[tuple[Fact, dict[str, Value], dict[str, tuple[int, int]]]] = []

    def say(self, fact: Fact, values: dict[str, Value], wording: str) -> None:
        """Append a wording of a fact."""
        before = len(self.pen.spans)

        def value(slot: str) -> str:
            if slot in ("S", "S's"):
                name = self.subject.mention(self.rng, first=self.first, pronoun=self.pronoun)
                self.first = False
                if slot == "S":
                    return name
                pronoun = name == self.subject.pronouns["they"]
                return self.subject.pronouns["their"] if pronoun else possessive(name)
            if slot in self.subject.pronouns:
                return self.subject.pronouns[slot]
            found = values.get(slot) or self.subject.attributes[slot]
            return found.text

        self.pen.render(parse(wording), value, self.rng)
        spans: dict[str, tuple[int, int]] = {}
        for slot, start, end in self.pen.spans[before:]:
            spans.setdefault(slot, (start, end))
        self.spans.append((fact, values, spans))


def write_article(world: World, index: int) -> Article:
    """The article at a 0-based index: 5 or 6 sentences, 60 to 110 words."""
    family_name, ordinal = world.locate(index)
    family = world.families[family_name]
    rng = world.rng("article", index)
    article = _attempt(world, family, index, ordinal, rng)
    for _ in range(ATTEMPTS):
        if MIN_WORDS <= article.text.count(" ") + 1 <= MAX_WORDS:
            break
        article = _attempt(world, family, index, ordinal, rng)
    return article


def values_of(world: World, family: Family, ordinal: int, fact: Fact) -> dict[str, Value] | None:
    """The values of a fact of an article, whether it states it or not; None where it has none."""
    attributes = world.attributes(family.name, ordinal)
    values: dict[str, Value] = {}
    rng = world.rng("fact", family.name, ordinal, fact.name)
    case = Case(world, family.name, ordinal, fact.name, attributes, values, rng)
    for slot, draw in fact.draws.items():
        value = draw(case)
        if value is None:
            return None
        values[slot] = value
    return values


def verb_phrases(fact: Fact) -> list[str]:
    """The wordings that start with the subject, without it."""
    return [says[4:] for says in fact.says if says.startswith("{S} ")]


def _attempt(
    world: World, family: Family, index: int, ordinal: int, rng: random.Random
) -> Article:
    subject = Subject(world, family, ordinal)
    sentences = 5 if rng.random() < 0.45 else 6
    groups = _plan(world, family, ordinal, sentences, rng)
    texts: list[str] = []
    starts: list[int] = []
    statements: list[Statement] = []
    offset, pronoun = 0, False
    for place, group in enumerate(groups):
        sentence = Sentence(subject, rng, first=place == 0, pronoun=pronoun)
        if isinstance(group, str):
            sentence.pen.render(
                parse(group), lambda slot: _plain(subject, slot, rng), rng
            )
            pronoun = False
        else:
            pronoun = _compose(sentence, group, lead=place == 0)
        text = capitalise(sentence.pen.text()) + "."
        for fact, values, spans in sentence.spans:
            shifted = {slot: (a + offset, b + offset) for slot, (a, b) in spans.items()}
            statements.append(Statement(fact, values, place, shifted))
        texts.append(text)
        starts.append(offset)
        offset += len(text) + 1
    return Article(
        index, family.name, ordinal, subject.title, " ".join(texts), tuple(starts),
        tuple(statements),
    )


def _plain(subject: Subject, slot: str, rng: random.Random) -> str:
    if slot in ("S", "S's"):
        name = subject.mention(rng, first=False, pronoun=False)
        return possessive(name) if slot == "S's" else name
    return subject.pronouns.get(slot) or subject.attributes[slot].text


Stated = tuple[Fact, dict[str, Value]]


def _plan(
    world: World, family: Family, ordinal: int, sentences: int, rng: random.Random
) -> list[list[Stated] | str]:
    """Which facts each sentence states, in order; a string is a filler sentence."""
    definition = family.definitions[rng.randrange(len(family.definitions))]
    known = values_of(world, family, ordinal, definition)
    assert known is not None, definition.name
    groups: list[list[Stated] | str] = [[(definition, known)]]
    late, body = 0, []
    filler = bool(family.fillers) and rng.random() < 0.15
    merges = sum(rng.random() < 0.25 for _ in range(sentences - 1))
    lead = rng.random() < 0.6
    wanted = sentences - 1 - filler + merges + lead
    late_wanted = 2 if rng.random() < 0.7 else 3
    for fact in rng.sample(family.facts, len(family.facts)):
        is_late = fact.zone == "late"
        if len(body) == wanted:
            break
        if (late == late_wanted) if is_late else (len(body) - late >= wanted - late_wanted):
            continue
        values = values_of(world, family, ordinal, fact)
        if values is None:
            continue
        low, high = {"early": (0.0, 0.6), "any": (0.0, 1.0), "late": (0.6, 1.2)}[fact.zone]
        body.append((rng.uniform(low, high), len(body), fact, values))
        late += is_late
    body.sort()
    stated: list[Stated] = [(fact, values) for _, _, fact, values in body]
    if lead:
        first = next((s for s in stated if s[0].zone != "late" and verb_phrases(s[0])), None)
        if first is not None:
            stated.remove(first)
            groups = [[(definition, known), first]]
    pairs: list[list[Stated] | str] = []
    spare = len(stated) - (sentences - 1 - filler)
    while stated:
        group = [stated.pop(0)]
        if spare > 0 and stated and rng.random() < spare / (len(stated) + 0.5):
            if verb_phrases(group[0][0]) and verb_phrases(stated[0][0]):
                group.append(stated.pop(0))
                spare -= 1
        pairs.append(group)
    del pairs[sentences - 1 - filler :]
    groups += pairs
    if filler:
        groups.insert(rng.randint(2, len(groups)), rng.choice(family.fillers))
    return groups


def _compose(sentence: Sentence, group: list[Stated], *, lead: bool) -> bool:
    """Write a sentence. Returns whether a pronoun may stand for the subject in the next one."""
    rng, pen = sentence.rng, sentence.pen
    fact, values = group[0]
    if lead:
        wording = rng.choice(fact.says)
        attachable = wording.endswith("~")
        sentence.say(fact, values, wording.rstrip("~"))
        if len(group) > 1:
            relative = sentence.subject.family.relative
            pen.write(f" {relative} " if attachable and rng.random() < 0.7 else " and ")
            sentence.say(*group[1], rng.choice(verb_phrases(group[1][0])))
        return True
    if len(group) == 1:
        wording = rng.choice(fact.says)
        if rng.random() < 0.07:
            pen.render(parse(rng.choice(ASIDES)), str, rng)
            wording = wording[:1].lower() + wording[1:]
        sentence.say(fact, values, wording)
        return wording.startswith("{S")
    sentence.say(fact, values, "{S} " + rng.choice(verb_phrases(fact)))
    pen.write(rng.choice([" and ", f", and {sentence.subject.pronouns['they']} "]))
    sentence.say(*group[1], rng.choice(verb_phrases(group[1][0])))
    return True
