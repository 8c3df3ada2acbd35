"""Generators, and what encoder-decoders and causal models share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import torch
from torch.nn.functional import cross_entropy

from ecqg.params import Generate, Precision
from ecqg.questions.sampling import State, decode
from ecqg.training.batches import pad, padded_width
from ecqg.training.device import autocast

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

IGNORED = -100
ON_CPU = 16  # pairs of a training batch that are computed together there


class Pair(NamedTuple):
    """Token ids of a source and of its target, special tokens included."""

    source: list[int]
    target: list[int]


class Generator:
    """A model that writes a target text for a source text."""

    side: ClassVar[Literal["left", "right"]]  # of padding

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        max_source_tokens: int,
        max_target_tokens: int,
        precision: Precision = "fp32",
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._max_source = max_source_tokens
        self._max_target = max_target_tokens
        self._precision = precision
        special: Any = model.config if model.config.is_encoder_decoder else tokenizer
        self._pad, self._end = int(special.pad_token_id), int(special.eos_token_id)

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        """Token ids, cut to the most source and target tokens; a cut target has no end token."""
        raise NotImplementedError

    def loss(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
        """Summed negative log-likelihood of the target tokens (nats), and their number.

        Logits are computed for tokens that count alone, which are about half of a batch's: short
        targets are padded to the longest one, and logits are as wide as the vocabulary.
        """
        with autocast(self.model.device, self._precision):
            target, inputs = self._inputs(batch)
            rows, columns = (target != IGNORED).nonzero(as_tuple=True)

            def choose(_: object, inputs: tuple[torch.Tensor]) -> torch.Tensor:
                (hidden,) = inputs  # [n, m or more, hidden]
                return hidden.flatten(0, 1).index_select(0, rows * hidden.shape[1] + columns)

            with self.model.get_output_embeddings().register_forward_pre_hook(choose):
                logits = self.model(**inputs, use_cache=False).logits
            return cross_entropy(logits.float(), target[rows, columns], reduction="sum"), len(rows)

    @torch.inference_mode()
    def sample(
        self, sources: Sequence[list[int]], uniform: torch.Tensor, how: Generate
    ) -> list[str | None]:
        """Draw texts; None where a text did not end within the most target tokens.

        `uniform` is [sources * samples, most target tokens]; the samples of one source are
        neighbours and share its encoding.
        """
        device = self.model.device
        tokens, mask = pad(sources, self._pad, None, self.side, device)
        with autocast(device, self._precision):
            state, start = self._begin(tokens, mask, len(uniform) // len(sources))
            drawn = decode(state, start, uniform.to(device), how, self._end)
        return [
            None if ids is None else str(self.tokenizer.decode(ids, skip_special_tokens=True))
            for ids in drawn
        ]

    def _inputs(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, dict[str, Any]]:
        """Targets [n, m], IGNORED where there is none, and what the model is called with.

        It must compute logits for at least m columns, of which the first m are the targets'.
        """
        raise NotImplementedError

    def _begin(
        self, tokens: torch.Tensor, mask: torch.Tensor, samples: int
    ) -> tuple[State, torch.Tensor]:
        """A state of `samples` sequences a source, and the first input token of each."""
        raise NotImplementedError

    def _width(self, rows: Sequence[Sequence[int]]) -> int:
        """The width to pad rows to for training."""
        limit = getattr(self.model.config, "max_position_embeddings", None)
        return padded_width(max(map(len, rows)), limit)


def add_gradients(generator: Generator, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
    """Backward pass of the mean loss; returns the sum over target tokens, and their number.

    A CPU takes a few pairs at a time: a quarter of a gigabyte less, in no more time, than 32.
    """
    tokens = sum(len(pair.target) for pair in batch)
    at_once = ON_CPU if generator.model.device.type == "cpu" else len(batch)
    losses = []
    for begin in range(0, len(batch), at_once):
        loss, _ = generator.loss(batch[begin : begin + at_once])
        (loss / tokens).backward()  # type: ignore[no-untyped-call]
        losses.append(loss.detach())
    return torch.stack(losses).sum(), tokens
