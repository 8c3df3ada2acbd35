"""Drawing questions: gold, reading and test sets with their biases and overlaps."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from ecqg.errors import InputError
from ecqg.microcosm.layout import values_of
from ecqg.microcosm.questions import Askable, Asker, askables
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.world import World
from ecqg.progress import track
from ecqg.seeds import python_rng

PATIENCE = 400  # draws per question before the world counts as too small
ARTICLES = 16_384  # kept: questions come back to them
QUESTION_OVERLAP = 0.30  # share of nq_like that asks for a fact of the training set (Lewis et al.)
ANSWER_OVERLAP = 0.63  # share of nq_like whose answer is a training answer, the former included
HELD_WORDINGS = 0.5  # share of nq_like, uniform and tail in wordings that training never shows


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what it asks."""

    text: str
    ask: Askable


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question that its article does not answer."""

    text: str
    article: Article


def is_tail(ask: Askable) -> bool:
    """Whether a fact about another entity stands in the last two sentences."""
    return ask.statement.fact.zone == "late" and ask.sentence >= len(ask.article.starts) - 2


class Drawer:
    """Draws questions at random, each about another fact within its set."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed, self.asker = world, seed, Asker(world)
        self.article = lru_cache(maxsize=ARTICLES)(lambda index: write_article(world, index))

    def by_sentence(
        self,
        name: str,
        count: int,
        weights: Sequence[float] | None,
        registers: str,
        refuse: set[str],
        accept: Callable[[Askable], bool] | None = None,
        among: Sequence[int] | None = None,
    ) -> list[Question]:
        """`count` questions; the sentence asked about follows the weights (None: uniform).

        The sentence is drawn first, then an article that can be asked about it, so that the
        weights hold whatever the articles are like. `registers` are drawn with equal chance; facts
        in `refuse` are not asked for. `among` are the indices of the articles that may be asked
        about (None: all).
        """
        rng = python_rng(self.seed, "microcosm", name)
        taken, texts = set(refuse), set[str]()
        drawn: list[Question] = []
        indices = range(self.world.passages) if among is None else among

        def one(place: int | None) -> Question | None:
            article = self.article(rng.choice(indices))
            if place is None:
                place = rng.randrange(len(article.starts))
            here = (ask for ask in askables(article) if ask.sentence == place)
            fresh = (ask for ask in here if ask.key not in taken)
            options = [ask for ask in fresh if accept is None or accept(ask)]
            if not options:
                return None
            ask = rng.choice(options)
            text = self.asker.write(rng.choice(registers.split()), ask, rng)
            return None if text is None or text in texts else Question(text, ask)

        for _ in track(range(count), f"questions {name}", unit="question"):
            place = rng.choices(range(len(weights)), weights)[0] if weights else None
            question = next(filter(None, (one(place) for _ in range(PATIENCE))), None)
            if question is None:
                raise InputError(
                    f"no {count} questions for {name} in {len(indices)} passages",
                    file="params.yaml",
                    remedy="raise microcosm.passages or gold_share, or ask fewer questions",
                )
            taken.add(question.ask.key)
            texts.add(question.text)
            drawn.append(question)
        return drawn

    def repeated(self, name: str, train: Sequence[Question], count: int) -> list[Question]:
        """`count` facts of the training set, in other words."""
        rng = python_rng(self.seed, "microcosm", name)
        drawn: list[Question] = []
        for question in rng.sample(train, len(train)):
            if len(drawn) == count:
                break
            register = "held" if rng.random() < HELD_WORDINGS else "train"
            text = self.asker.write(register, question.ask, rng)
            if text is not None and text != question.text:
                drawn.append(Question(text, question.ask))
        return drawn

    def unanswerable(self, name: str, count: int) -> list[Unanswerable]:
        """`count` plausible questions that their passages do not answer.

        Half ask for a fact that the passage does not state, half are another article's question
        on a kind of fact that the passage does state of its own subject.
        """
        rng = python_rng(self.seed, "microcosm", name)
        drawn: list[Unanswerable] = []
        while len(drawn) < count:
            article = self.article(rng.randrange(self.world.passages))
            text = (self._unstated if rng.random() < 0.5 else self._foreign)(article, rng)
            if text is not None:
                drawn.append(Unanswerable(text, article))
        return drawn

    def _unstated(self, article: Article, rng: random.Random) -> str | None:
        family = self.world.families[article.family]
        stated = {statement.fact.name for statement in article.statements}
        missing = [fact for fact in family.facts if fact.name not in stated and fact.asks]
        if not missing:
            return None
        fact = rng.choice(missing)
        values = values_of(self.world, family, article.ordinal, fact)
        slot = rng.choice(list(fact.asks))
        # What the subject is introduced by ("a novel by ...") may tell a fact that is not stated.
        if values is None or values[slot].text in article.text:
            return None
        return self.asker.unstated(article, fact, slot, rng)

    def _foreign(self, article: Article, rng: random.Random) -> str | None:
        stated = {statement.fact.name for statement in article.statements}
        count = self.world.count(article.family)
        other = rng.randrange(count)
        if other == article.ordinal:
            return None
        foreign = self.article(self.world.index(article.family, other))
        options = [ask for ask in askables(foreign) if ask.statement.fact.name in stated]
        return self.asker.write("train", rng.choice(options), rng) if options else None


def keys(questions: Sequence[Question]) -> set[str]:
    """The fact keys of questions."""
    return {one.ask.key for one in questions}


def nq_like(
    drawer: Drawer,
    train: Sequence[Question],
    count: int,
    weights: Sequence[float],
    refuse: set[str],
) -> list[Question]:
    """Questions biased like training, overlapping with it about as much as NQ's test set does."""
    answers = {one.ask.answer.lower() for one in train}
    repeated = drawer.repeated("nq_like/repeated", train, round(count * QUESTION_OVERLAP))
    draw = partial(
        drawer.by_sentence,
        weights=weights,
        registers="train held",
        refuse=refuse | keys(train),
    )
    known = draw(
        "nq_like/known",
        round(count * ANSWER_OVERLAP) - len(repeated),
        accept=lambda ask: ask.answer.lower() in answers,
    )
    new = draw(
        "nq_like/new",
        count - len(repeated) - len(known),
        accept=lambda ask: ask.answer.lower() not in answers,
    )
    mixed = [*repeated, *known, *new]
    python_rng(drawer.seed, "microcosm", "nq_like/order").shuffle(mixed)
    return mixed
