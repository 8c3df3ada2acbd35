"""Encoder-decoders (BART, T5) as generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ecqg.questions.generator import IGNORED, Generator, Pair
from ecqg.questions.sampling import State
from ecqg.training.batches import pad


class Seq2Seq(Generator):
    """An encoder-decoder."""

    side = "right"

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        """See Generator."""
        inputs, outputs = (
            [ids[:limit] for ids in self.tokenizer(list(texts), verbose=False)["input_ids"]]
            for texts, limit in ((sources, self._max_source), (targets, self._max_target))
        )
        return [Pair(a, b) for a, b in zip(inputs, outputs, strict=True)]

    def _inputs(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, dict[str, Any]]:
        device = self.model.device
        distinct: dict[tuple[int, ...], int] = {}  # a source is encoded once for all its targets
        which = [distinct.setdefault(tuple(p.source), len(distinct)) for p in batch]
        sources, targets = list(distinct), [p.target for p in batch]
        source, mask = pad(sources, self._pad, self._width(sources), device=device)
        target, _ = pad(targets, IGNORED, self._width(targets), device=device)
        start = torch.full_like(target[:, :1], self.model.config.decoder_start_token_id)
        shifted = torch.cat([start, target[:, :-1]], 1)
        rows = torch.tensor(which, device=device)
        hidden = self._hidden(source, mask)
        return target, {
            "encoder_outputs": (hidden.index_select(0, rows),),
            "attention_mask": mask[rows],
            "decoder_input_ids": shifted.masked_fill(shifted == IGNORED, self._pad),
        }

    def _begin(
        self, tokens: torch.Tensor, mask: torch.Tensor, samples: int
    ) -> tuple[State, torch.Tensor]:
        """See Generator; the samples of a source part after their first step."""
        from transformers.cache_utils import DynamicCache, EncoderDecoderCache

        hidden = self._hidden(tokens, mask)
        cache, repeats = EncoderDecoderCache(DynamicCache(), DynamicCache()), samples

        def advance(last: torch.Tensor) -> torch.Tensor:
            # All start with the same token, so the first step, in which the keys and values of the
            # source's tokens are computed, is done once for the samples of a source.
            nonlocal hidden, mask, repeats
            logits: torch.Tensor = self.model(
                encoder_outputs=(hidden,),
                attention_mask=mask,
                decoder_input_ids=last[::repeats, None],
                past_key_values=cache,
                use_cache=True,
            ).logits[:, -1]
            if repeats > 1:
                hidden = hidden.repeat_interleave(repeats, 0)
                mask = mask.repeat_interleave(repeats, 0)
                cache.batch_repeat_interleave(repeats)
                logits, repeats = logits.repeat_interleave(repeats, 0), 1
            return logits

        def keep(rows: torch.Tensor) -> None:
            nonlocal hidden, mask
            hidden, mask = hidden[rows], mask[rows]
            cache.batch_select_indices(rows)

        start: Any = self.model.config.decoder_start_token_id
        sequences = len(tokens) * samples
        return State(advance, keep), torch.full((sequences,), start, device=tokens.device)

    def _hidden(self, source: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        encoder = self.model.get_encoder()
        hidden: torch.Tensor = encoder(input_ids=source, attention_mask=mask).last_hidden_state
        return hidden
