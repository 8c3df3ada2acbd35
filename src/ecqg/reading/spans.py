"""The best answer span and the null answer, from start and end scores."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class BestSpans:
    """Per window, tensors of [windows].

    `first` and `last` are the best span's context tokens (0-based, inclusive), `score` its start
    score plus its end score (-inf where there is no span), `mass` the log-sum-exp of the scores of
    all spans, `null` the score of the null answer ([CLS] as start and end).
    """

    first: Tensor
    last: Tensor
    score: Tensor
    mass: Tensor
    null: Tensor


def best_spans(
    start: Tensor, end: Tensor, may_start: Tensor, may_end: Tensor, max_tokens: int
) -> BestSpans:
    """Decode windows exactly: every span of 1 to `max_tokens` tokens is compared.

    All arguments are [windows, tokens]: float scores and, as booleans, which tokens a span may
    start or end at. Token 0 is [CLS] and must allow neither. Of equal spans the earliest, then the
    shortest, wins.
    """
    windows, tokens = start.shape
    longest = min(max_tokens, tokens)
    minus = float("-inf")
    starts = start.float().masked_fill(~may_start, minus)
    ends = end.float().masked_fill(~may_end, minus)
    padded = torch.cat([ends, ends.new_full((windows, longest - 1), minus)], dim=1)
    # [windows, tokens, length - 1]: no square of the window's length, which would be mostly masked
    scores = (starts.unsqueeze(2) + padded.unfold(1, longest, 1)).flatten(1)
    best = scores.argmax(dim=1)
    first = best // longest
    return BestSpans(
        first,
        first + best % longest,
        scores.gather(1, best.unsqueeze(1)).squeeze(1),
        scores.logsumexp(dim=1),
        start[:, 0].float() + end[:, 0].float(),
    )
