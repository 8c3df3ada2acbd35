"""Whether a question asks for a fact that its passage states, judged by the world's own wordings.

A question is compared, as a set of words, with all that the world may ask about the passage: each
stated fact's training and held-out wordings, with every alternative, synonym, description of the
subject and surname. It is valid where it shares SHARE of the words (Jaccard) with one of them, all
words of its names among them, and right where its answer is also that wording's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import NamedTuple

from ecqg.microcosm.families.articles import SUBJECT
from ecqg.microcosm.grammar import Choice, Slot, Template, parse, possessive
from ecqg.microcosm.questions import Askable, askables, usable, widen
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.world import World

SHARE = 0.7
_WORD = re.compile(r"\w+")
Words = frozenset[str]


class Verdict(NamedTuple):
    """`valid`: some fact of the passage is asked for. `right`: the answer is that fact's."""

    valid: bool
    right: bool


class Judge:
    """Judges questions on the passages of a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._wordings = lru_cache(maxsize=1024)(self._list_wordings)

    def verdict(self, index: int, question: str, answer: str) -> Verdict:
        """Judge a question on the passage at a 0-based index."""
        asked, answered = words(question), words(answer)
        valid = False
        for truth, template, values in self._wordings(index):
            wording, names = _nearest(template, asked, values)
            shared = len(asked & wording) / len(asked | wording)
            if names <= asked and shared >= SHARE:
                if truth == answered:
                    return Verdict(True, True)
                valid = True
        return Verdict(valid, False)

    def _list_wordings(self, index: int) -> list[tuple[Words, Template, Values]]:
        article = write_article(self._world, index)
        names = list(self._names(article))
        wordings: list[tuple[Words, Template, Values]] = []
        for ask in askables(article):
            asks = ask.statement.fact.asks[ask.slot]
            values = cache(partial(self._alternatives, ask, names))
            fitting = usable(ask, (*asks["train"], *asks["held"]))
            wordings += [(words(ask.answer), parse(widen(w)), values) for w in fitting]
        return wordings

    def _alternatives(self, ask: Askable, names: Sequence[str], slot: str) -> list[Words]:
        """What may stand for a slot; `names` are the subject's."""
        attributes = self._world.attributes(ask.article.family, ask.article.ordinal)
        if slot in SUBJECT or slot == "D":
            return [words(possessive(name) if slot == "S's" else name) for name in names]
        value = ask.statement.values.get(slot) or attributes[slot]
        texts = [value.text, value.text.split()[-1]] if value.type == "PERSON" else [value.text]
        return [words(text) for text in texts]

    def _names(self, article: Article) -> Iterator[str]:
        """The subject's title, in running text or not, and its descriptions where it is alone."""
        world, family = self._world, self._world.families[article.family]
        yield article.title
        yield world.things[family.name].frame.format(article.title)
        if world.is_alone(article.family, article.ordinal):
            attributes = world.attributes(article.family, article.ordinal)
            for template in family.descriptions:
                yield "".join(
                    attributes[part].text if isinstance(part, Slot) else str(part)
                    for part in parse(template)
                )


Values = Callable[[str], Sequence[Words]]


@lru_cache(maxsize=2**16)
def words(text: str) -> Words:
    """The distinct words of a text, in lower case; "an" is "a"."""
    return frozenset("a" if word == "an" else word for word in _WORD.findall(text.lower()))


def _nearest(template: Template, asked: Words, values: Values) -> tuple[Words, Words]:
    """The words of the template's rendering that is nearest to what was asked, and its names'."""
    wording: Words = frozenset()
    names: Words = frozenset()
    for part in template:
        if isinstance(part, Slot):
            options = [(value, value) for value in values(str(part))]
        elif isinstance(part, Choice):
            options = [_nearest(option, asked, values) for option in part]
        else:
            options = [(words(part), names)]
        chosen = max(options, key=lambda option: _gain(option[0], asked))
        wording, names = wording | chosen[0], names | chosen[1]
    return wording, names


def _gain(option: Words, asked: Words) -> float:
    """What an alternative brings towards SHARE: words shared, less what the others cost."""
    shared = len(option & asked)
    return shared - SHARE * (len(option) - shared)
