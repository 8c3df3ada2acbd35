"""From the attention of word pieces to that of entities (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.tokens import TEXT, TokenAttention


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Attention of m mentions of one passage; a mention without a sum has 0 pieces and NaN."""

    sums: NDArray[np.float32]  # [m] of the weights of the word pieces that overlap the mention
    pieces: NDArray[np.int16]  # [m] their number

    def means(self) -> NDArray[np.float32]:
        """Weight per word piece, [m]."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return (self.sums / self.pieces).astype(np.float32)


def aggregate(
    attention: TokenAttention, starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> Aggregated:
    """The attention of the mentions [starts, ends) of the passage's text.

    A mention that the encoder does not see whole, because of its length limit, has no attention
    rather than little: else truncation would make it the least attended.
    """
    first = np.searchsorted(attention.ends, starts, side="right")
    last = np.searchsorted(attention.starts, ends, side="left")
    pieces = np.maximum(last - first, 0)
    if attention.truncated:
        seen = attention.ends[-1] if len(attention.ends) else 0
        pieces[ends > seen] = 0
    weights = attention.weights[attention.kinds == TEXT]
    running = np.concatenate([[0.0], np.cumsum(weights, dtype=np.float64)])
    sums = np.where(pieces > 0, running[last] - running[first], np.nan)
    return Aggregated(sums.astype(np.float32), pieces.astype(np.int16))


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an entity, with its attention."""

    text: str
    label: str
    start: int
    end: int
    total: float  # attention of its word pieces
    pieces: int


@dataclass(frozen=True, slots=True)
class EntityAttention:
    """An entity of a passage: all mentions with the same normalised text."""

    attention: float
    mean: float  # of a word piece
    lowest: Mention  # of its mentions, the one attended least
    highest: Mention


def rank_entities(mentions: Sequence[Mention], by: Literal["sum", "mean"]) -> list[EntityAttention]:
    """The distinct entities of a passage, the least attended first; ties by first mention.

    An entity's word pieces are those of all its mentions, so its attention is their total (`sum`)
    or total over their number (`mean`). The rejected alternative, its least attended mention,
    would call an entity overlooked that the passage names again where the encoder looks. Mentions
    without pieces (truncated away) do not count.

    The sum favours short names as lowest: in a microcosm whose entities were of one word in 28 %
    of cases, 62 % of those lowest by sum were, and 28 % of those lowest by mean.
    """
    grouped: dict[str, list[Mention]] = {}
    for mention in sorted(mentions, key=lambda m: m.start):
        if mention.pieces:
            grouped.setdefault(normalise(mention.text), []).append(mention)

    def total(group: Sequence[Mention]) -> float:
        return sum(m.total for m in group)

    def mean(group: Sequence[Mention]) -> float:
        return total(group) / sum(m.pieces for m in group)

    attention = total if by == "sum" else mean

    entities = []
    for group in grouped.values():
        lowest = min(group, key=lambda m: attention([m]))
        highest = max(group, key=lambda m: attention([m]))
        entities.append(EntityAttention(attention(group), mean(group), lowest, highest))
    return sorted(entities, key=lambda e: e.attention)


def normalise(text: str) -> str:
    """The form under which mentions are the same entity: case and white space do not count.

    >>> normalise("Bank of  Ireland") == normalise("BANK OF IRELAND")
    True
    """
    return " ".join(text.casefold().split())
