"""What can be asked about an article, and how: from stated facts to question texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ecqg.microcosm.draws import Person
from ecqg.microcosm.facts import Fact
from ecqg.microcosm.grammar import capitalise, fill, possessive, slots
from ecqg.microcosm.realise import Article, Statement
from ecqg.microcosm.world import World

DESCRIBED = 0.3  # share of questions that describe the subject instead of giving its title
UNNAMED = 0.5  # share of quiz questions without the subject's title, where two facts name it
SUBJECT = {"S", "S's"}
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

    def keyword(self, ask: Askable, rng: random.Random) -> str | None:
        """A few keywords."""
        return self._search(ask, ask.statement.fact.asks[ask.slot].keyword, rng)

    def clue(self, ask: Askable, rng: random.Random) -> str | None:
        """A long quiz question that describes its subject by other facts of the article."""
        templates = self._usable(ask, ask.statement.fact.asks[ask.slot].clue)
        described = self._described(ask, rng)
        if not templates or described is None:
            return None
        value = self._value(ask, described)
        text = fill(rng.choice(templates), value, rng).replace(",?", "?").replace(",,", ",")
        return None if ask.answer.lower() in text.lower() else capitalise(text)

    def unstated(self, article: Article, fact: Fact, slot: str, rng: random.Random) -> str | None:
        """A training question that names nothing but the subject, whatever the article states."""
        templates = [t for t in fact.asks[slot].train if slots(t) <= SUBJECT | {"noun"}]
        if not templates:
            return None
        name = self._name(article, rng)
        noun = self.world.attributes(article.family, article.ordinal)["noun"].text
        words = {"S": name, "S's": possessive(name), "noun": noun}
        return fill(rng.choice(templates), words.__getitem__, rng).lower()

    def _search(self, ask: Askable, wordings: tuple[str, ...], rng: random.Random) -> str | None:
        templates = self._usable(ask, wordings)
        if not templates:
            return None
        value = self._value(ask, self._name(ask.article, rng))
        text = fill(rng.choice(templates), value, rng).lower()
        return None if ask.answer.lower() in text else text

    def _usable(self, ask: Askable, wordings: tuple[str, ...]) -> list[str]:
        """The templates whose slots the passage states."""
        known = {*ask.statement.spans, *SUBJECT, "D", "noun"} - {ask.slot} - PRONOUNS
        return [wording for wording in wordings if slots(wording) <= known]

    def _value(self, ask: Askable, name: str) -> Callable[[str], str]:
        attributes = self.world.attributes(ask.article.family, ask.article.ordinal)

        def value(slot: str) -> str:
            if slot in ("S", "D"):
                return name
            if slot == "S's":
                return possessive(name)
            return (ask.statement.values.get(slot) or attributes[slot]).text.strip('"')

        return value

    def _name(self, article: Article, rng: random.Random) -> str:
        """The subject's title or, where that is unambiguous, sometimes a description."""
        family = self.world.families[article.family]
        if family.descriptions and rng.random() < DESCRIBED:
            template, unambiguous = rng.choice(family.descriptions)
            if unambiguous(self.world, article.family, article.ordinal):
                attributes = self.world.attributes(article.family, article.ordinal)
                return fill(template, lambda slot: attributes[slot].text, rng)
        return family.frame.format(article.title).strip('"')

    def _described(self, ask: Askable, rng: random.Random) -> str | None:
        """The subject by one fact and its title, or by two facts without it."""
        article, world = ask.article, self.world
        family = world.families[article.family]
        verbs: list[str] = []
        naming = False
        for statement in article.statements:
            usable = [v for v in statement.fact.verbs if slots(v) <= set(statement.spans)]
            if statement is not ask.statement and usable:
                template = rng.choice(usable)
                values = statement.values
                verbs.append(fill(template, lambda s, v=values: v[s].text, rng))  # type: ignore[misc]
                naming |= any(isinstance(statement.fact.draws[s], Person) for s in slots(template))
        if not verbs:
            return None
        picked = rng.sample(verbs, min(2, len(verbs)))
        noun = world.attributes(article.family, article.ordinal)["noun"].text
        if len(picked) == 2 and naming and rng.random() < UNNAMED:
            return f"the {noun} {family.relative} {picked[0]} and {picked[1]}"
        return f"{family.frame.format(article.title)}, the {noun} {family.relative} {picked[0]},"
