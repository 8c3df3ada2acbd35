"""How evenly [CLS] attends to one passage's tokens and sentences (SIGIR sec. 4.1).

The papers do not say which tokens their distribution covers. Here it is the weights of the
passage's text tokens, with or without its special tokens ([CLS] and both [SEP]) and its title,
divided by their sum. Special tokens can draw much of the attention without saying anything of the
text, so by default they, and the title, are left out.

A density is a mean weight of tokens over the mean weight of all tokens of the distribution: 1 is
uniform, 2 is twice the attention of an average token. It is how attention to a sentence or a word
can be read and compared regardless of the passage's length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.tokens import SPECIAL, TEXT, TITLE, TokenAttention

Choice = Literal["exclude", "include"]


@dataclass(frozen=True, slots=True)
class Distribution:
    """A passage's attention as a distribution over n tokens, t of which are the text's."""

    weights: NDArray[np.float64]  # [n], summing to 1
    text: NDArray[np.float64]  # [t] those of the text's tokens, in order
    scale: float  # the model's own weights times this are densities

    def entropy(self) -> float:
        """Shannon entropy in nats, at most log n; 0 log 0 is 0."""
        positive = self.weights[self.weights > 0]
        return float(-(positive * np.log(positive)).sum())


def distribution(attention: TokenAttention, special_tokens: Choice, title: Choice) -> Distribution:
    """The distribution over a passage's tokens; its text has at least one."""
    included = attention.kinds == TEXT
    if special_tokens == "include":
        included |= attention.kinds == SPECIAL
    if title == "include":
        included |= attention.kinds == TITLE
    weights = attention.weights.astype(np.float64)
    total = weights[included].sum()
    text = weights[attention.kinds == TEXT] / total
    return Distribution(weights[included] / total, text, float(included.sum() / total))


@dataclass(frozen=True, slots=True)
class AttentionMeasures:
    """How a passage's attention is spread over its tokens and its s sentences."""

    tokens: int  # in the distribution, n
    entropy: float  # in nats
    shares: NDArray[np.float64]  # [s] of the distribution, by sentence
    densities: NDArray[np.float64]  # [s] by sentence
    first_sentence: float  # density of the first sentence's tokens
    later_sentences: float  # density of all other tokens of the text; NaN without any

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
    """Measure a passage whose text has at least one token.

    A token belongs to the sentence in which it starts. Sentences without tokens, such as those
    beyond the length limit, do not count.
    """
    spread = distribution(attention, special_tokens, title)
    n = len(spread.weights)
    sentences = np.searchsorted(sentence_starts, attention.starts, side="right") - 1
    counts = np.bincount(sentences)
    shares = np.bincount(sentences, spread.text)[counts > 0].astype(np.float64)
    counts = counts[counts > 0]
    later = float(shares[1:].sum() / counts[1:].sum()) if len(counts) > 1 else float("nan")
    densities = shares / counts * n
    return AttentionMeasures(n, spread.entropy(), shares, densities, float(densities[0]), later * n)
