"""What can be asked about an article, and how: from stated facts to question texts.

Askers use other words than the passages: a question template's words that stand in thesaurus.yaml
are each replaced by one of their alternatives, the word itself among them. All are as common in
training as in test questions, so that a model can learn them; word matching cannot.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ecqg.microcosm.families.articles import PRONOUNS, SUBJECT, Fact
from ecqg.microcosm.grammar import capitalise, fill, possessive, slots
from ecqg.microcosm.marked import read
from ecqg.microcosm.realise import Article, Statement, write_article
from ecqg.microcosm.world import World

DESCRIBED = 0.35  # share of questions that describe the subject instead of giving its title
SURNAMES = 0.3  # share of questions that, beside the subject, give people by surname alone
UNNAMED = 0.4  # share of quiz questions without the subject's title, where two facts name it
ELSEWHERE = 0.8  # share of the others whose clue comes from another passage
NO_ENTITIES = {"THING", "DATE", "CARDINAL"}
SYNONYMS = {
    word: others.texts()
    for word, others in read(Path(__file__).with_name("thesaurus.yaml")).mapping().items()
}
_WORDS = re.compile(
    r"(?<![{\w])(" + "|".join(sorted(SYNONYMS, key=len, reverse=True)) + r")(?![\w}])"
)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIO](?!ne\b|ni[vt]|uro))")


@cache
def widen(template: str) -> str:
    """The template with a choice of synonyms for each word that has any; slots stay as they are."""
    return _WORDS.sub(lambda m: f"[{'|'.join((m[1], *SYNONYMS[m[1]]))}]", template)


def agree(text: str) -> str:
    """The text with "a" made "an" before a vowel, as a synonym may need."""
    return _ARTICLE.sub(r"\1n ", text)


@dataclass(frozen=True, slots=True)
class Askable:
    """A slot of a stated fact that has questions."""

    article: Article
    statement: Statement
    slot: str
    key: str  # of the fact
    sentence: int  # of the answer, from 0
    start: int  # of the answer in the text
    answer: str  # as the passage has it


def askables(article: Article) -> Iterator[Askable]:
    """Everything that the article's sentences answer, in order of the text."""
    for statement in article.statements:
        for slot in statement.fact.asks:
            if slot in statement.spans:
                start, end = statement.spans[slot]
                key, answer = article.key(statement.fact, slot), article.text[start:end]
                yield Askable(article, statement, slot, key, statement.sentence, start, answer)


def usable(ask: Askable, wordings: Sequence[str]) -> list[str]:
    """The wordings whose slots the passage states."""
    known = {*ask.statement.spans, *SUBJECT, "D", "noun"} - {ask.slot, *PRONOUNS}
    return [wording for wording in wordings if slots(wording) <= known]


class Asker:
    """Writes questions in the registers of REGISTERS."""

    def __init__(self, world: World) -> None:
        self.world = world

    def write(self, register: str, ask: Askable, rng: random.Random) -> str | None:
        """A question in a wording of a register; None if there is none that fits.

        In the registers "train_about" and "held_about" it names an entity beside the subject, in a
        wording of "train" or "held". A clue describes its subject by other facts of the article.
        """
        base, _, about = register.partition("_")
        wordings = ask.statement.fact.asks[ask.slot][base]
        if about:
            values = ask.statement.values
            entities = {slot for slot in values if values[slot].type not in NO_ENTITIES}
            wordings = tuple(w for w in wordings if slots(w) & (entities - {ask.slot}))
        write = self._clue if register == "clue" else self._search
        text = write(ask, usable(ask, wordings), rng)
        if text is None or ask.answer.lower() in text.lower():
            return None
        return text.replace("the ", "") if register == "keyword" else text

    def _search(self, ask: Askable, templates: list[str], rng: random.Random) -> str | None:
        """As searchers type it."""
        if not templates:
            return None
        template = rng.choice(templates)
        brief = bool(slots(template) & {*SUBJECT, "D"}) and rng.random() < SURNAMES
        value = self._value(ask, self._name(ask.article, rng), surnames=brief)
        return agree(fill(widen(template), value, rng)).lower()

    def _clue(self, ask: Askable, templates: list[str], rng: random.Random) -> str | None:
        """A long quiz question."""
        described = self._described(ask, rng)
        if not templates or described is None:
            return None
        value = self._value(ask, described)
        text = agree(fill(widen(rng.choice(templates)), value, rng))
        return capitalise(text.replace(",?", "?").replace(",,", ",").replace(",.", "."))

    def unstated(self, article: Article, fact: Fact, slot: str, rng: random.Random) -> str | None:
        """A training question that names nothing but the subject, whatever the article states."""
        templates = [t for t in fact.asks[slot]["train"] if slots(t) <= {*SUBJECT, "noun"}]
        if not templates:
            return None
        name = self._name(article, rng)
        noun = self.world.attributes(article.family, article.ordinal)["noun"].text
        words = {"S": name, "S's": possessive(name), "noun": noun}
        return agree(fill(widen(rng.choice(templates)), words.__getitem__, rng)).lower()

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
            naming = any(d.kind == "person" for s in here[:2] for d in s.fact.draws.values())
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
