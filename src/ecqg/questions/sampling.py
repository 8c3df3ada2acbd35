"""Top-k, then top-p (nucleus) sampling, with one uniform number per token.

Each sequence brings its own uniform numbers, so that what is drawn for a prompt does not depend
on which prompts share its batch; transformers' `generate` draws from one global stream.
"""

from __future__ import annotations

from typing import Protocol

import torch

from ecqg.params import Generate


class State(Protocol):
    """Sequences that are being decoded, with their key-value cache."""

    def advance(self, last: torch.Tensor) -> torch.Tensor:
        """Logits [n, vocabulary] after appending the tokens `last` [n]."""

    def keep(self, rows: torch.Tensor) -> None:
        """Forget all sequences but `rows`."""


def nucleus(logits: torch.Tensor, how: Generate) -> tuple[torch.Tensor, torch.Tensor]:
    """(probabilities, tokens), each [n, k], most probable first; what is cut off has 0.

    The probabilities are renormalised after top-k and again after top-p, as transformers' logits
    processors do in that order.
    """
    k = min(how.top_k or logits.shape[-1], logits.shape[-1])
    values, tokens = logits.float().topk(k)
    probabilities = torch.softmax(values / how.temperature, -1)
    if how.top_p < 1:  # at 1 nothing goes, not even to rounding
        before = probabilities.cumsum(-1) - probabilities
        probabilities = probabilities.masked_fill(before >= how.top_p, 0.0)
    return probabilities / probabilities.sum(-1, keepdim=True), tokens


def draw(logits: torch.Tensor, uniform: torch.Tensor, how: Generate) -> torch.Tensor:
    """Tokens [n] where the cumulated probability first exceeds `uniform` [n] in [0, 1)."""
    probabilities, tokens = nucleus(logits, how)
    index = (probabilities.cumsum(-1) <= uniform[:, None]).sum(-1, keepdim=True)
    last = (probabilities > 0).sum(-1, keepdim=True) - 1  # rounding must not reach what is cut off
    return tokens.gather(-1, torch.minimum(index, last))[:, 0]


def decode(
    state: State, start: torch.Tensor, uniform: torch.Tensor, how: Generate, end: int
) -> list[list[int] | None]:
    """Sample until the token `end`.

    Args:
        state: n sequences.
        start: First input token of each, [n].
        uniform: Uniform numbers in [0, 1), [n, most tokens].
        how: The distribution's truncation.
        end: The token that ends a sequence.

    Returns:
        The tokens before `end`, or None where `end` was not drawn in time.
    """
    results: list[list[int] | None] = [None] * len(start)
    drawn: list[list[int]] = [[] for _ in range(len(start))]
    rows = list(range(len(start)))  # the sequence in each row of the state
    last = start
    for step in range(uniform.shape[1]):
        last = draw(state.advance(last), uniform[rows, step], how)
        for row, token in zip(rows, last.tolist(), strict=True):
            if results[row] is None:
                if token == end:
                    results[row] = drawn[row]
                else:
                    drawn[row].append(token)
        alive = [i for i, row in enumerate(rows) if results[row] is None]
        if not alive:
            break
        if len(alive) <= 0.75 * len(rows):  # copying the cache costs about one step
            index = torch.tensor(alive, device=last.device)
            state.keep(index)
            rows, last = [rows[i] for i in alive], last[index]
    return results
