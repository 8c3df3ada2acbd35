"""Encoder-decoders (BART, T5) as generators."""

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


class Seq2Seq:
    """An encoder-decoder."""

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
        """See Generator."""
        inputs = self._tokens(sources, self._max_source)
        outputs = self._tokens(targets, self._max_target)
        return [Pair(a, b) for a, b in zip(inputs, outputs, strict=True)]

    def loss(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
        """See Generator."""
        device = self.model.device
        distinct: dict[tuple[int, ...], int] = {}  # a source is encoded once for all its targets
        which = [distinct.setdefault(tuple(p.source), len(distinct)) for p in batch]
        sources, targets = list(distinct), [p.target for p in batch]
        width = width_of(sources, self.model)
        source, mask = pad(sources, self._pad, width, device=device)
        width = width_of(targets, self.model)
        target, _ = pad(targets, IGNORED, width, device=device)
        start = torch.full_like(target[:, :1], self._start)
        shifted = torch.cat([start, target[:, :-1]], 1)
        shifted = shifted.masked_fill(shifted == IGNORED, self._pad)
        rows = torch.tensor(which, device=device)

        def forward() -> torch.Tensor:
            hidden = self.model.get_encoder()(
                input_ids=source, attention_mask=mask
            ).last_hidden_state
            logits: torch.Tensor = self.model(
                encoder_outputs=(hidden.index_select(0, rows),),
                attention_mask=mask[rows],
                decoder_input_ids=shifted,
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
        source, mask = pad(sources, self._pad, device=device)
        samples = len(uniform) // len(sources)
        with autocast(device, self._precision):
            hidden = self.model.get_encoder()(
                input_ids=source, attention_mask=mask
            ).last_hidden_state
            state = _Seq2SeqState(self.model, hidden, mask, samples)
            start = torch.full((len(uniform),), self._start, device=device)
            drawn = decode(state, start, uniform.to(device), how, self._end)
        return texts_of(self.tokenizer, drawn)

    def _tokens(self, texts: Sequence[str], limit: int) -> list[list[int]]:
        ids = self.tokenizer(list(texts), verbose=False)["input_ids"]
        return [row[:limit] for row in ids]

    @property
    def _pad(self) -> int:
        return int(self.model.config.pad_token_id)

    @property
    def _start(self) -> int:
        return int(self.model.config.decoder_start_token_id)

    @property
    def _end(self) -> int:
        return int(self.model.config.eos_token_id)


class _Seq2SeqState:
    """See ecqg.questions.sampling.State; the samples of a source part after their first step."""

    def __init__(
        self, model: PreTrainedModel, hidden: torch.Tensor, mask: torch.Tensor, samples: int
    ) -> None:
        from transformers.cache_utils import DynamicCache, EncoderDecoderCache

        self._model = model
        self._hidden = hidden
        self._mask = mask
        self._samples = samples
        self._cache = EncoderDecoderCache(DynamicCache(), DynamicCache())

    def advance(self, last: torch.Tensor) -> torch.Tensor:
        # All start with the same token, so the first step, in which the keys and values of the
        # source's tokens are computed, is done once for the samples of a source.
        repeats, self._samples = self._samples, 1
        logits: torch.Tensor = self._model(
            encoder_outputs=(self._hidden,),
            attention_mask=self._mask,
            decoder_input_ids=last[::repeats, None],
            past_key_values=self._cache,
            use_cache=True,
        ).logits[:, -1]
        if repeats > 1:
            self._hidden = self._hidden.repeat_interleave(repeats, 0)
            self._mask = self._mask.repeat_interleave(repeats, 0)
            self._cache.batch_repeat_interleave(repeats)
            logits = logits.repeat_interleave(repeats, 0)
        return logits

    def keep(self, rows: torch.Tensor) -> None:
        self._hidden, self._mask = self._hidden[rows], self._mask[rows]
        self._cache.batch_select_indices(rows)
