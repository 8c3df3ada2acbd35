"""Where a model looks in passages: attention by sentence, its entropy, and its entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.aggregate import EntityAttention, Mention, aggregate, rank_entities
from ecqg.attention.among_entities import among_entities
from ecqg.attention.looking import look_at
from ecqg.attention.ner import recognise
from ecqg.attention.per_passage import means
from ecqg.attention.positions import EntityPositions
from ecqg.attention.tokens import AttentionMeasures, TokenAttention, attention_measures
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.params import Entities
from ecqg.probe.models import Model
from ecqg.progress import track

SENTENCES = 6  # that tables tell apart; those behind them are taken together
FEW = 0.05  # sentences that a smaller share of the passages has are not shown
Span = tuple[int, int, str]  # characters [start, end) and the type of a mention


def find_entities(passages: Sequence[Passage], settings: Entities) -> list[list[Span]]:
    """Named entities of each passage."""
    found = recognise((p.text for p in passages), settings.model, settings.types)
    return list(track(found, "entities", total=len(passages), unit="passage"))


def with_attention(
    passage: Passage, spans: Sequence[Span], attention: TokenAttention
) -> list[Mention]:
    """The mentions of a passage with what a model attends to in them."""
    starts, ends = (np.array([span[i] for span in spans], np.int32) for i in (0, 1))
    found = aggregate(attention, starts, ends)
    values = zip(spans, found.sums.tolist(), found.pieces.tolist(), strict=True)
    return [
        Mention(passage.text[start:end], label, start, end, total, pieces)
        for (start, end, label), total, pieces in values
    ]


@dataclass(frozen=True)
class SentenceAttention:
    """What the sentences of one number get, means over the passages that have one."""

    sentence: str  # from 1; what comes behind SENTENCES is one row
    density: float  # attention a word piece times the passage's pieces: 1 is uniform
    share: float  # of all attention, in percent
    passages: int


@dataclass(frozen=True)
class Look:
    """What a model looks at in a set of passages."""

    passages: int
    cut: float  # passages that go on where the length limit is, in percent
    sentences: list[SentenceAttention]
    means: dict[str, float]  # entropy ... (ecqg.attention.per_passage)
    entities: dict[str, float]  # positions and densities; empty where no passage has two


@dataclass(frozen=True)
class Seen:
    """A look with what else is asked of it."""

    look: Look
    vectors: NDArray[np.float32]  # [passages, dimensions]
    entropies: NDArray[np.float64]  # [passages], over their maxima; NaN where there are no tokens
    ranked: list[list[EntityAttention]]  # of each passage its entities, the least attended first


def look(model: Model, passages: Sequence[Passage], entities: Sequence[Sequence[Span]]) -> Seen:
    """Have a model look at passages. Raises InputError where it sees no token in any."""
    what = f"{model.name}: attention"
    looked = look_at(model.passage, model.passage_tokenizer, passages, model.max_tokens, what)
    vectors = np.empty((len(passages), model.passage.dimensions), np.float32)
    entropies = np.full(len(passages), np.nan)
    positions, spread, ranked, cut = EntityPositions(), [], [], 0
    measured: list[AttentionMeasures] = []
    for passage, spans, (attention, vector) in zip(passages, entities, looked, strict=True):
        vectors[passage.row] = vector
        ranked.append(rank_entities(with_attention(passage, spans, attention), "mean"))
        if not len(attention.starts):
            continue  # a text without any token has no distribution
        cut += attention.truncated
        found = attention_measures(attention, passage.sentence_starts, "exclude", "exclude")
        measured.append(found)
        entropies[passage.row] = found.normalised_entropy
        if positions.add(passage, ranked[-1]) is not None:
            spread.append(among_entities(ranked[-1], found.scale))
    if not measured:
        raise InputError("sees no token of any passage", file=model.name, remedy="see --max-tokens")
    names = spread[0] if spread else {}
    of_entities = {name: float(np.mean([of[name] for of in spread])) for name in names}
    return Seen(
        Look(
            passages=len(measured),
            cut=100 * cut / len(measured),
            sentences=list(by_sentence(measured)),
            means=means(measured),
            entities=positions.summary() | of_entities if spread else {},
        ),
        model.comparable(vectors),
        entropies,
        ranked,
    )


def by_sentence(measured: Sequence[AttentionMeasures]) -> Iterator[SentenceAttention]:
    """Of each sentence, and of all behind SENTENCES, where enough passages have it."""
    for i in range(SENTENCES + 1):
        having = [m for m in measured if len(m.shares) > i]
        if not having or len(having) < FEW * len(measured):
            return
        here = slice(i, i + 1 if i < SENTENCES else None)
        yield SentenceAttention(
            sentence_name(i),
            density=_mean(m.densities[here].mean() for m in having),
            share=100 * _mean(m.shares[here].sum() for m in having),
            passages=len(having),
        )


def sentence_name(number: int) -> str:
    """Of a sentence's 0-based number.

    >>> sentence_name(0), sentence_name(6), sentence_name(40)
    ('1', '7 and later', '7 and later')
    """
    return str(number + 1) if number < SENTENCES else f"{SENTENCES + 1} and later"


def _mean(values: Iterable[float]) -> float:
    return float(np.mean([*values]))
