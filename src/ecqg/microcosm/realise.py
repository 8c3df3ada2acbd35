"""From facts to prose: one passage, written from its index alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ecqg.microcosm.families.articles import PRONOUNS, SUBJECT, Fact
from ecqg.microcosm.families.draws import Value
from ecqg.microcosm.grammar import Pen, capitalise, fill, parse, possessive, slots
from ecqg.microcosm.layout import Stated, lay_out, share_of
from ecqg.microcosm.world import World

MIN_WORDS, MAX_WORDS = 60, 110
ATTEMPTS = 16  # at a passage of a permitted length
PRONOUN, MENTION = 0.42, 0.9  # cumulative chances of what stands for the subject; else its title
ASIDES = (
    "according to [local|surviving|the oldest] records, ",
    "by most accounts, ",
    "as contemporaries noted, ",
    "as is widely known, ",
    "so far as is known, ",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as a passage states it. `spans` are character offsets of its slots in the text."""

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

    def key(self, fact: Fact, slot: str) -> str:
        """The key by which two questions are known to ask for the same, also across facts."""
        where = slot if fact.draws[slot].kind == "attribute" else f"{fact.name}.{slot}"
        return f"{self.family}-{self.ordinal}:{where}"


class Subject:
    """How a passage speaks of what it is about."""

    def __init__(self, world: World, index: int) -> None:
        self.index = index
        name, self.ordinal, self.part = world.locate(index)
        self.family, self.title = world.families[name], world.title(name, self.ordinal)
        self.framed = world.things[name].frame.format(self.title)
        self.attributes = world.attributes(name, self.ordinal)
        pronouns = ("it", "it", "its")
        if name == "person":
            woman = world.is_woman(self.ordinal)
            pronouns = ("she", "her", "her") if woman else ("he", "him", "his")
        self.pronouns = dict(zip(PRONOUNS, pronouns, strict=True))

    def plain(self, template: str, rng: random.Random) -> str:
        """A template of attributes as text."""
        return fill(template, lambda slot: self.attributes[slot].text, rng)

    def mention(self, rng: random.Random) -> str:
        """Its title or something shorter."""
        if rng.random() < (MENTION - PRONOUN) / (1 - PRONOUN):
            return self.plain(rng.choice(self.family.mentions), rng)
        return self.framed


class Sentence:
    """One sentence under construction, the `place`-th of the text, in which it begins at `start`.

    `pronoun`: whether a pronoun may stand for the subject at its start.
    """

    def __init__(
        self, subject: Subject, rng: random.Random, place: int, start: int, *, pronoun: bool
    ) -> None:
        self.subject, self.rng, self.pen = subject, rng, Pen()
        self.place, self.start, self.pronoun = place, start, pronoun
        self.told: list[Statement] = []

    def say(self, fact: Fact, values: dict[str, Value], wording: str, name: str = "") -> None:
        """Append a wording of a fact; `name` is what it calls the subject, drawn if empty."""
        before = len(self.pen.spans)
        self.write(wording, values, name)
        spans: dict[str, tuple[int, int]] = {}
        for slot, begin, end in self.pen.spans[before:]:
            quoted = slot in values and values[slot].text.startswith('"')
            spans.setdefault(slot, (self.start + begin + quoted, self.start + end - quoted))
        self.told.append(Statement(fact, values, self.place, spans))

    def write(self, template: str, values: dict[str, Value], name: str) -> None:
        """Append a template that may name the subject, its attributes and `values`."""
        pronouns, begin = self.subject.pronouns, len(self.pen.text)

        def value(slot: str) -> str:
            if slot in pronouns:
                return pronouns[slot]
            if slot not in SUBJECT:
                return (values.get(slot) or self.subject.attributes[slot]).text
            first = not name and len(self.pen.text) == begin and self.pronoun
            if first and self.rng.random() < PRONOUN:
                return pronouns["they" if slot == "S" else "their"]
            called = name or self.subject.mention(self.rng)
            return called if slot == "S" else possessive(called)

        self.pen.render(parse(template), value, self.rng)


def write_article(world: World, index: int) -> Article:
    """The passage at a 0-based index: 5 or 6 sentences, 60 to 110 words."""
    subject, rng = Subject(world, index), world.rng("passage", index)
    family = subject.family
    share = share_of(world, family, subject.ordinal, subject.part)
    definition: Stated | None = None
    if subject.part == 0:
        fact = family.definition
        definition = fact, {slot: subject.attributes[slot] for slot in fact.draws}
    tries: dict[int, Article] = {}  # by how far they are from the middle of the permitted lengths
    for _ in range(ATTEMPTS):
        article = _write(subject, lay_out(family, share, definition, rng), rng)
        words = article.text.count(" ") + 1
        if MIN_WORDS <= words <= MAX_WORDS:
            return article
        tries.setdefault(abs(words - (MIN_WORDS + MAX_WORDS) // 2), article)
    return tries[min(tries)]


def _write(subject: Subject, groups: list[list[Stated] | str], rng: random.Random) -> Article:
    text, pronoun = "", False
    starts: list[int] = []
    statements: list[Statement] = []
    for place, group in enumerate(groups):
        starts.append(len(text))
        sentence = Sentence(subject, rng, place, starts[-1], pronoun=pronoun)
        pronoun = True
        if isinstance(group, str):
            sentence.write(group, {}, subject.mention(rng))
        elif place == 0:
            _lead(sentence, group, subject.part)
        else:
            pronoun = _body(sentence, group)
        statements += sentence.told
        text += capitalise(sentence.pen.text) + ". "
    return Article(
        subject.index,
        subject.family.name,
        subject.ordinal,
        subject.title,
        text.rstrip(),
        tuple(starts),
        tuple(statements),
    )


def _lead(sentence: Sentence, group: list[Stated], part: int) -> None:
    """The first sentence: it names the subject by its title and says what it is."""
    rng, subject = sentence.rng, sentence.subject
    fact, values = group[0]
    if part > 0:
        apposition = rng.choice(subject.family.appositions)
        name = f"{subject.framed}, {subject.plain(apposition, rng)},"
        sentence.say(fact, values, "{S} " + rng.choice(fact.predicates), name)
    else:
        name = subject.framed
        wording = rng.choice(fact.says)
        sentence.say(fact, values, wording.rstrip("~"), name)
    if len(group) > 1:
        if part == 0 and wording.endswith("~") and rng.random() < 0.7:
            sentence.pen.write(f" {subject.family.relative} ")
        else:
            _join(sentence, len(name))
        sentence.say(*group[1], rng.choice(group[1][0].predicates))


def _body(sentence: Sentence, group: list[Stated]) -> bool:
    """A later sentence. Returns whether a pronoun may stand for the subject in the next one."""
    rng, pen = sentence.rng, sentence.pen
    fact, values = group[0]
    if len(group) == 1:
        wording = rng.choice(fact.says)
        if rng.random() < 0.06:
            pen.write(fill(rng.choice(ASIDES), str, rng))
            wording = wording[:1].lower() + wording[1:]
        sentence.say(fact, values, wording)
        return wording.startswith("{S") and not slots(wording) & {"they"}
    sentence.say(fact, values, "{S} " + rng.choice(fact.predicates))
    _join(sentence, 0)
    sentence.say(*group[1], rng.choice(group[1][0].predicates))
    return True


def _join(sentence: Sentence, after: int) -> None:
    """Write "and" between two predicates, as a new clause where the first one holds a comma."""
    clause = f", and {sentence.subject.pronouns['they']} "
    comma = ", " in sentence.pen.text[after:]
    sentence.pen.write(clause if comma or sentence.rng.random() < 0.5 else " and ")
