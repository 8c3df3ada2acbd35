"""A passage's [CLS] attention, token by token, and how evenly it is spread (SIGIR sec. 4.1).

The papers do not say which tokens their distribution covers. Here it is the weights of the
passage's text tokens, with or without its special tokens ([CLS] and both [SEP]) and its title,
divided by their sum. Special tokens can draw much of the attention without saying anything of the
text, so by default they, and the title, are left out.

A density is a mean weight of tokens over the mean weight of all tokens of the distribution: 1 is
uniform, 2 is twice the attention of an average token. It is how attention to a sentence or a word
can be read and compared regardless of the passage's length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

SPECIAL, TITLE, TEXT = 0, 1, 2
Choice = Literal["exclude", "include"]


@dataclass(frozen=True, slots=True)
class TokenAttention:
    """What [CLS] of the last layer attends to in one passage of n tokens."""

    row: int  # the passage's
    weights: NDArray[np.float32]  # [n] mean over heads; they sum to 1 over all tokens
    kinds: NDArray[np.int8]  # [n] SPECIAL, TITLE or TEXT
    starts: NDArray[np.int32]  # [t] first character, in the text, of each TEXT token, in order
    ends: NDArray[np.int32]  # [t] one past its last character
    truncated: bool  # the text goes on where the encoder's length limit is

    def as_json(self) -> list[Any]:
        """Its fields in order, as JSON has them."""
        arrays = (self.weights, self.kinds, self.starts, self.ends)
        return [self.row, *(array.tolist() for array in arrays), self.truncated]

    @classmethod
    def from_json(cls, fields: list[Any]) -> TokenAttention:
        """What `as_json` was called on, to the bit."""
        row, *arrays, truncated = fields
        types = (np.float32, np.int8, np.int32, np.int32)
        weights, kinds, starts, ends = map(np.array, arrays, types)
        return cls(row, weights, kinds, starts, ends, truncated)


def locate(
    row: int,
    weights: NDArray[np.float32],
    second: int,
    offsets: Sequence[tuple[int, int]],
    separators: int = 1,
) -> TokenAttention:
    """Tell apart [CLS], title, [SEP], text and [SEP], and place the text's tokens.

    `second` is the position of the text's first token in a sequence with a title, the sequence's
    length without one; `offsets` are the character spans of all of the text's word pieces, more
    than the sequence holds where it is truncated. `separators` special tokens stand between
    title and text: 2 in RoBERTa.
    """
    n = len(weights)
    kinds = np.full(n, TEXT, np.int8)
    kinds[[0, n - 1]] = SPECIAL
    begin = 1
    if second < n:
        begin = second
        kinds[1 : begin - separators] = TITLE
        kinds[begin - separators : begin] = SPECIAL
    held = n - 1 - begin
    spans = np.array(offsets[:held], np.int32).reshape(-1, 2)
    return TokenAttention(row, weights, kinds, spans[:, 0], spans[:, 1], len(offsets) > held)


@dataclass(frozen=True, slots=True)
class AttentionMeasures:
    """How a passage's attention is spread over its tokens and its s sentences."""

    tokens: int  # in the distribution, n
    entropy: float  # in nats
    shares: NDArray[np.float64]  # [s] of the distribution, by sentence
    densities: NDArray[np.float64]  # [s] by sentence
    first_sentence: float  # density of the first sentence's tokens
    later_sentences: float  # density of all other tokens of the text; NaN without any
    scale: float  # the model's own weights times this are densities

    @property
    def normalised_entropy(self) -> float:
        """Entropy over its maximum log n, from 0 to 1."""
        return self.entropy / float(np.log(self.tokens)) if self.tokens > 1 else 1.0


def attention_measures(
    attention: TokenAttention,
    sentence_starts: tuple[int, ...],
    special_tokens: Choice,
    title: Choice,
) -> AttentionMeasures:
    """Measure a passage whose text has at least one token; 0 log 0 is 0.

    A token belongs to the sentence in which it starts. Sentences without tokens, such as those
    beyond the length limit, do not count.
    """
    included = attention.kinds == TEXT
    if special_tokens == "include":
        included |= attention.kinds == SPECIAL
    if title == "include":
        included |= attention.kinds == TITLE
    weights = attention.weights.astype(np.float64)
    n, total = int(included.sum()), weights[included].sum()
    spread = weights[included] / total
    positive = spread[spread > 0]
    sentences = np.searchsorted(sentence_starts, attention.starts, side="right") - 1
    counts = np.bincount(sentences)
    shares = np.bincount(sentences, weights[attention.kinds == TEXT] / total)[counts > 0]
    counts = counts[counts > 0]
    densities = shares / counts * n
    later = float(shares[1:].sum() / counts[1:].sum()) if len(counts) > 1 else float("nan")
    return AttentionMeasures(
        tokens=n,
        entropy=float(-(positive * np.log(positive)).sum()),
        shares=shares.astype(np.float64),
        densities=densities,
        first_sentence=float(densities[0]),
        later_sentences=later * n,
        scale=float(n / total),
    )
