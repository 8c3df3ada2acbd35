"""What can be asked about an article, and how: from stated facts to question texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ecqg.microcosm.facts import Family
from ecqg.microcosm.grammar import capitalise, fill, slots
from ecqg.microcosm.realise import Article, Statement
from ecqg.microcosm.world import World

DESCRIBED = 0.25  # share of questions that describe the subject instead of giving its title
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
        return self.article.key(self.statement.fact.name, self.slot)

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
        value = self._value(ask, described, rng)
        text = fill(rng.choice(templates), value, rng).replace(",?", "?").replace(",,", ",")
        return None if ask.answer.lower() in text.lower() else capitalise(text)

    def unstated(self, article: Article, fact_name: str, slot: str, rng: random.Random) -> str | None:
        """A training question on a fact that the article does not state."""
        family = self.world.families[article.family]
        fact = next(f for f in family.facts if f.name == fact_name)
        templates = [t for t in fact.asks[slot].train if slots(t) <= SUBJECT]
        if not templates:
            return None
        name = self._name(article, family, rng)
        return fill(rng.choice(templates), lambda s: name, rng).lower()

    def _search(self, ask: Askable, wordings: tuple[str, ...], rng: random.Random) -> str | None:
        templates = self._usable(ask, wordings)
        if not templates:
            return None
        family = self.world.families[ask.article.family]
        value = self._value(ask, self._name(ask.article, family, rng), rng)
        text = fill(rng.choice(templates), value, rng).lower()
        return None if ask.answer.lower() in text else text

    def _usable(self, ask: Askable, wordings: tuple[str, ...]) -> list[str]:
        """The templates whose slots the passage states."""
        known = {*ask.statement.spans, *SUBJECT, "D", "noun"} - {ask.slot} - PRONOUNS
        return [wording for wording in wordings if slots(wording) <= known]

    def _value(self, ask: Askable, name: str, rng: random.Random):  # type: ignore[no-untyped-def]
        attributes = self.world.attributes(ask.article.family, ask.article.ordinal)

        def value(slot: str) -> str:
            if slot in ("S", "D"):
                return name
            found = ask.statement.values.get(slot) or attributes[slot]
            return found.text

        return value

    def _name(self, article: Article, family: Family, rng: random.Random) -> str:
        """The subject's title or, where that is unambiguous, sometimes a description."""
        if family.descriptions and rng.random() < DESCRIBED:
            template = rng.choice(family.descriptions)
            if self._unambiguous(article):
                attributes = self.world.attributes(article.family, article.ordinal)
                return fill(template, lambda slot: attributes[slot].text, rng)
        return article.title

    def _unambiguous(self, article: Article) -> bool:
        """Whether nobody else has the same surname and trade (only people are described)."""
        world = self.world
        trade = world.trade(article.ordinal)
        return all(
            other == article.ordinal or world.trade(other) != trade
            for other in world.namesakes(article.ordinal)
        )

    def _described(self, ask: Askable, rng: random.Random) -> str | None:
        """The subject by one fact and its title, or by two facts without it."""
        family = self.world.families[ask.article.family]
        attributes = self.world.attributes(ask.article.family, ask.article.ordinal)
        verbs: list[str] = []
        for statement in ask.article.statements:
            usable = [v for v in statement.fact.verbs if slots(v) <= set(statement.spans)]
            if statement is not ask.statement and usable:
                template = rng.choice(usable)
                verbs.append(fill(template, lambda s: statement.values[s].text, rng))  # noqa: B023
        if not verbs:
            return None
        noun = attributes["noun"].text
        picked = rng.sample(verbs, min(2, len(verbs)))
        if len(picked) == 2 and rng.random() < 0.4:
            return f"the {noun} {family.relative} {picked[0]} and {picked[1]}"
        return f"{ask.article.title}, the {noun} {family.relative} {picked[0]},"
