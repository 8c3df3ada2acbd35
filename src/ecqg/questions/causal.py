"""Causal language models (SmolLM2) as generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from ecqg.params import Precision
from ecqg.questions.interface import IGNORED, Pair, sum_loss, texts_of, width_of
from ecqg.questions.sampling import Sampling, decode
from ecqg.training.batches import pad
from ecqg.training.device import autocast

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class Causal:
    """A decoder-only language model: the source is its prompt, the loss is on the target alone.

    Sequences are padded on the left, so that all targets end in the last column and logits are
    computed for the target's columns only.
    """

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

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        """See Generator. A line break ends the source, even one that was cut."""
        line_break = self._tokens(["\n"])[0]
        room = self._max_source - len(line_break)
        inputs = [ids[:room] + line_break for ids in self._tokens(sources)]
        outputs = [[*ids, self._end][: self._max_target] for ids in self._tokens(targets)]
        return [Pair(a, b) for a, b in zip(inputs, outputs, strict=True)]

    def loss(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
        """See Generator."""
        device = self.model.device
        rows, targets = [p.source + p.target for p in batch], [p.target for p in batch]
        width = width_of(rows, self.model)
        tokens, mask = pad(rows, self._pad, width, "left", device)
        # Every target's first token is predicted from a token before it.
        width = min(width_of(targets, self.model), width - 1)
        target, _ = pad(targets, IGNORED, width, "left", device)

        def forward() -> torch.Tensor:
            logits: torch.Tensor = self.model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=_positions(mask),
                logits_to_keep=target.shape[1] + 1,
                use_cache=False,
            ).logits
            return logits

        with autocast(device, self._precision):
            return sum_loss(self.model, target, forward)

    @torch.inference_mode()
    def sample(
        self, sources: Sequence[list[int]], uniform: torch.Tensor, how: Sampling
    ) -> list[str | None]:
        """See Generator."""
        device = self.model.device
        tokens, mask = pad(sources, self._pad, None, "left", device)
        with autocast(device, self._precision):
            state = _CausalState(self.model, tokens, mask, len(uniform) // len(sources))
            start = tokens[:, -1].repeat_interleave(len(uniform) // len(sources))
            drawn = decode(state, start, uniform.to(device), how, self._end)
        return texts_of(self.tokenizer, drawn)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return list(
            self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        )

    @property
    def _end(self) -> int:
        return int(self.tokenizer.eos_token_id)

    @property
    def _pad(self) -> int:
        return int(self.tokenizer.pad_token_id)


class _CausalState:
    """See ecqg.questions.sampling.State; all but the prompts' last tokens are read at once."""

    def __init__(
        self, model: PreTrainedModel, tokens: torch.Tensor, mask: torch.Tensor, samples: int
    ) -> None:
        from transformers.cache_utils import DynamicCache

        self._model = model
        self._cache = DynamicCache()
        # At least two tokens: encode() appends a line break to every source.
        model(
            input_ids=tokens[:, :-1],
            attention_mask=mask[:, :-1],
            position_ids=_positions(mask)[:, :-1],
            past_key_values=self._cache,
            logits_to_keep=1,
            use_cache=True,
        )
        self._cache.batch_repeat_interleave(samples)
        self._mask = mask[:, :-1].repeat_interleave(samples, 0)

    def advance(self, last: torch.Tensor) -> torch.Tensor:
        self._mask = torch.cat([self._mask, self._mask.new_ones(len(last), 1)], 1)
        logits: torch.Tensor = self._model(
            input_ids=last[:, None],
            attention_mask=self._mask,
            position_ids=_positions(self._mask)[:, -1:],
            past_key_values=self._cache,
            use_cache=True,
        ).logits[:, -1]
        return logits

    def keep(self, rows: torch.Tensor) -> None:
        self._mask = self._mask[rows]
        self._cache.batch_select_indices(rows)


def _positions(mask: torch.Tensor) -> torch.Tensor:
    return (mask.cumsum(-1) - 1).clamp_min(0)
