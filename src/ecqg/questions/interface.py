"""The interface of generators, and what its implementations share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import torch
from torch.nn.functional import cross_entropy

from ecqg.questions.sampling import Sampling
from ecqg.training.batches import padded_width

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

IGNORED = -100


class Pair(NamedTuple):
    """Token ids of a source and of its target, special tokens included."""

    source: list[int]
    target: list[int]


class Generator(Protocol):
    """A model that writes a target text for a source text."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        """Token ids, cut to the most source and target tokens; a cut target has no end token."""

    def loss(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
        """Summed negative log-likelihood of the target tokens (nats), and their number."""

    def sample(
        self, sources: Sequence[list[int]], uniform: torch.Tensor, how: Sampling
    ) -> list[str | None]:
        """Draw texts; None where a text did not end within the most target tokens.

        `uniform` is [sources * samples, most target tokens]; the samples of one source are
        neighbours and share its encoding.
        """


def width_of(rows: Sequence[Sequence[int]], model: PreTrainedModel) -> int:
    """The width to pad rows to for training."""
    limit = getattr(model.config, "max_position_embeddings", None)
    return padded_width(max(map(len, rows)), limit)


def sum_loss(
    model: PreTrainedModel, target: torch.Tensor, forward: Callable[[], torch.Tensor]
) -> tuple[torch.Tensor, int]:
    """Summed negative log-likelihood of `target` [n, m], and how many of its tokens count.

    `forward` has the model compute logits for at least m columns, of which the first m are those
    of `target`. They are computed for tokens that count alone, which are about half of a batch's:
    short targets are padded to the longest one, and logits are as wide as the vocabulary.
    """
    wanted = target != IGNORED
    rows, columns = wanted.nonzero(as_tuple=True)

    def choose(_: object, inputs: tuple[torch.Tensor]) -> torch.Tensor:
        (hidden,) = inputs  # [n, m or more, hidden]
        return hidden.flatten(0, 1).index_select(0, rows * hidden.shape[1] + columns)

    hook = model.get_output_embeddings().register_forward_pre_hook(choose)
    try:
        logits = forward()
    finally:
        hook.remove()
    return cross_entropy(logits.float(), target[rows, columns], reduction="sum"), len(rows)


def texts_of(
    tokenizer: PreTrainedTokenizerBase, drawn: Sequence[list[int] | None]
) -> list[str | None]:
    """The texts of token sequences; None stays None."""
    return [
        None if ids is None else str(tokenizer.decode(ids, skip_special_tokens=True))
        for ids in drawn
    ]
