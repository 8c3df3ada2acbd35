"""What can be asked about an article, and how: from stated facts to question texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ecqg.microcosm.draws import Person
from ecqg.microcosm.facts import Fact
from ecqg.microcosm.grammar import capitalise, fill, possessive, slots
from ecqg.microcosm.realise import Article, Statement, write_article
from ecqg.microcosm.thesaurus import agree, widen
from ecqg.microcosm.world import World

DESCRIBED = 0.35  # share of questions that describe the subject instead of giving its title
SURNAMES = 0.3  # share of questions that, beside the subject, give people by surname alone
UNNAMED = 0.4  # share of quiz questions without the subject's title, where two facts name it
ELSEWHERE = 0.8  # share of the others whose clue comes from another passage
SUBJECT = {"S", "S's"}
NO_ENTITIES = {"THING", "DATE", "CARDINAL"}
PRONOUNS = {"they", "them", "their", "themself"}


@dataclass(frozen=True, slots=True)
class Askable:
    """A slot of a stated fact that has questions."""

    article: Article
    statement: Statement
    slot: str

    @property
    def key(self) -> str:
        """The fact key."""
        return self.article.key(self.statement.fact, self.slot)

    @property
    def sentence(self) -> int:
        """The 0-based sentence of the answer."""
        return self.statement.sentence

    @property
    def span(self) -> tuple[int, int]:
        """The answer's character offsets."""
        return self.statement.spans[self.slot]

    @property
    def answer(self) -> str:
        """The answer as the passage has it."""
        start, end = self.span
        return self.article.text[start:end]


def askables(article: Article) -> Iterator[Askable]:
    """Everything that the article's sentences answer, in order of the text."""
    for statement in article.statements:
        for slot in statement.fact.asks:
            if slot in statement.spans:
                yield Askable(article, statement, slot)


class Asker:
    """Writes questions in the registers of `Wordings`."""

    def __init__(self, world: World) -> None:
        self.world = world

    def train(self, ask: Askable, rng: random.Random) -> str | None:
        """A question as searchers type it, in a wording for training; None if there is none."""
        return self._search(ask, ask.statement.fact.asks[ask.slot].train, rng)

    def held(self, ask: Askable, rng: random.Random) -> str | None:
        """The same in a wording that is kept for tests."""
        return self._search(ask, ask.statement.fact.asks[ask.slot].held, rng)

    def train_about(self, ask: Askable, rng: random.Random) -> str | None:
        """A question in a training wording that names an entity beside the subject."""
        return self._search(ask, self._naming(ask, ask.statement.fact.asks[ask.slot].train), rng)

    def held_about(self, ask: Askable, rng: random.Random) -> str | None:
        """The same in a wording that is kept for tests."""
        return self._search(ask, self._naming(ask, ask.statement.fact.asks[ask.slot].held), rng)

    def keyword(self, ask: Askable, rng: random.Random) -> str | None:
        """A few keywords, without articles before names."""
        text = self._search(ask, ask.statement.fact.asks[ask.slot].keyword, rng)
        return text.replace("the ", "") if text else None

    def clue(self, ask: Askable, rng: random.Random) -> str | None:
        """A long quiz question that describes its subject by other facts of the article."""
        templates = self.usable(ask, ask.statement.fact.asks[ask.slot].clue)
        described = self._described(ask, rng)
        if not templates or described is None:
            return None
        value = self._value(ask, described)
        text = agree(fill(widen(rng.choice(templates)), value, rng))
        text = text.replace(",?", "?").replace(",,", ",").replace(",.", ".")
        return None if ask.answer.lower() in text.lower() else capitalise(text)

    def unstated(self, article: Article, fact: Fact, slot: str, rng: random.Random) -> str | None:
        """A training question that names nothing but the subject, whatever the article states."""
        templates = [t for t in fact.asks[slot].train if slots(t) <= SUBJECT | {"noun"}]
        if not templates:
            return None
        name = self._name(article, rng)
        noun = self.world.attributes(article.family, article.ordinal)["noun"].text
        words = {"S": name, "S's": possessive(name), "noun": noun}
        return agree(fill(widen(rng.choice(templates)), words.__getitem__, rng)).lower()

    def _search(self, ask: Askable, wordings: tuple[str, ...], rng: random.Random) -> str | None:
        templates = self.usable(ask, wordings)
        if not templates:
            return None
        template = rng.choice(templates)
        brief = bool(slots(template) & {*SUBJECT, "D"}) and rng.random() < SURNAMES
        value = self._value(ask, self._name(ask.article, rng), surnames=brief)
        text = agree(fill(widen(template), value, rng)).lower()
        return None if ask.answer.lower() in text else text

    def _naming(self, ask: Askable, wordings: tuple[str, ...]) -> tuple[str, ...]:
        """The templates that name an entity of the fact."""
        values = ask.statement.values
        entities = {slot for slot in values if values[slot].type not in NO_ENTITIES}
        return tuple(w for w in wordings if slots(w) & (entities - {ask.slot}))

    def usable(self, ask: Askable, wordings: tuple[str, ...]) -> list[str]:
        """The templates whose slots the passage states."""
        known = {*ask.statement.spans, *SUBJECT, "D", "noun"} - {ask.slot} - PRONOUNS
        return [wording for wording in wordings if slots(wording) <= known]

    def _value(self, ask: Askable, name: str, *, surnames: bool = False) -> Callable[[str], str]:
        attributes = self.world.attributes(ask.article.family, ask.article.ordinal)

        def value(slot: str) -> str:
            if slot in ("S", "D"):
                return name
            if slot == "S's":
                return possessive(name)
            found = ask.statement.values.get(slot) or attributes[slot]
            if surnames and found.type == "PERSON":
                return found.text.split()[-1]
            return found.text.strip('"')

        return value

    def _name(self, article: Article, rng: random.Random) -> str:
        """The subject's title or, where that is unambiguous, sometimes a description."""
        family = self.world.families[article.family]
        if family.descriptions and rng.random() < DESCRIBED:
            template = rng.choice(family.descriptions)
            attributes = self.world.attributes(article.family, article.ordinal)
            told = all(attributes[slot].text in article.text for slot in slots(template))
            if told and self.world.is_alone(article.family, article.ordinal):
                return fill(template, lambda slot: attributes[slot].text, rng)
        return self.world.things[family.name].frame.format(article.title).strip('"')

    def _described(self, ask: Askable, rng: random.Random) -> str | None:
        """The subject by two facts of the passage, or by its title and one fact of it.

        With the title, the fact may come from another passage on the same subject, as a quiz
        asks for more than one page tells.
        """
        article, world = ask.article, self.world
        family = world.families[article.family]
        noun = world.attributes(article.family, article.ordinal)["noun"].text
        here = [s for s in article.statements if s is not ask.statement and s.fact.verbs]
        here = rng.sample(here, len(here))
        if rng.random() < UNNAMED:
            verbs = [verb for s in here if (verb := _verb(s, rng))][:2]
            naming = any(isinstance(d, Person) for s in here[:2] for d in s.fact.draws.values())
            if len(verbs) == 2 and naming:
                return f"the {noun} {family.relative} {verbs[0]} and {verbs[1]}"
        elsewhere = self._sibling(article, rng)
        told = here
        if elsewhere and rng.random() < ELSEWHERE:
            told = rng.sample(elsewhere.statements, len(elsewhere.statements))
        verb = next(
            (v for s in told if s.fact is not ask.statement.fact and (v := _verb(s, rng))), ""
        )
        if not verb:
            return None
        titled = world.things[family.name].frame.format(article.title)
        return f"{titled}, the {noun} {family.relative} {verb},"

    def _sibling(self, article: Article, rng: random.Random) -> Article | None:
        """Another passage on the same subject."""
        world = self.world
        parts = range(world.parts(article.family, article.ordinal))
        indices = [world.index(article.family, article.ordinal, part) for part in parts]
        others = [i for i in indices if i != article.index and i < world.passages]
        return write_article(world, rng.choice(others)) if others else None


def _verb(statement: Statement, rng: random.Random) -> str:
    """One fact as a verb phrase ("was born in Ashville"); empty if the text does not allow it."""
    usable = [v for v in statement.fact.verbs if slots(v) <= set(statement.spans)]
    if not usable:
        return ""
    values = statement.values
    return fill(widen(rng.choice(usable)), lambda slot: values[slot].text, rng)
