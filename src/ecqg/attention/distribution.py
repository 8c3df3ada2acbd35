"""How evenly [CLS] attends to one passage's tokens and sentences (SIGIR sec. 4.1).

The papers do not say which tokens their distribution covers. Here it is the weights of the
passage's text tokens, with or without its special tokens ([CLS] and both [SEP]) and its title,
divided by their sum. Special tokens can draw much of the attention without saying anything of the
text, so by default they, and the title, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.tokens import SPECIAL, TEXT, TITLE, TokenAttention

Choice = Literal["exclude", "include"]


@dataclass(frozen=True, slots=True)
class Evenness:
    """How a passage's attention is spread over its tokens and its s sentences."""

    tokens: int  # in the distribution, n
    entropy: float  # in nats; at most log n
    shares: NDArray[np.float64]  # [s] of the distribution, by sentence
    densities: NDArray[np.float64]  # [s] mean weight of a sentence's tokens, times n; 1: uniform
    first_sentence: float  # density of the first sentence
    later_sentences: float  # mean weight of all other sentences' tokens, times n; NaN without any

    @property
    def normalised_entropy(self) -> float:
        """Entropy over its maximum log n, from 0 to 1."""
        return self.entropy / float(np.log(self.tokens)) if self.tokens > 1 else 1.0


def evenness(
    attention: TokenAttention,
    sentence_starts: tuple[int, ...],
    special_tokens: Choice = "exclude",
    title: Choice = "exclude",
) -> Evenness:
    """Measure a passage whose text has at least one token.

    A token belongs to the sentence in which it starts. Sentences without tokens, such as those
    beyond the length limit, do not count.
    """
    included = attention.kinds == TEXT
    if special_tokens == "include":
        included |= attention.kinds == SPECIAL
    if title == "include":
        included |= attention.kinds == TITLE
    raw = attention.weights.astype(np.float64)
    weights = raw[included] / raw[included].sum()
    text = attention.text_weights() / raw[included].sum()

    sentences = np.searchsorted(sentence_starts, attention.starts, side="right") - 1
    counts = np.bincount(sentences)
    shares = np.bincount(sentences, text)[counts > 0].astype(np.float64)
    counts = counts[counts > 0]
    later = shares[1:].sum() / counts[1:].sum() if len(counts) > 1 else np.nan
    densities = shares / counts * len(weights)
    return Evenness(
        tokens=len(weights),
        entropy=entropy(weights),
        shares=shares,
        densities=densities,
        first_sentence=float(densities[0]),
        later_sentences=float(later * len(weights)),
    )


def entropy(weights: NDArray[np.float64]) -> float:
    """Shannon entropy in nats of weights that sum to 1; 0 log 0 is 0."""
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum())
