"""Causal language models (SmolLM2) as generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ecqg.questions.generator import IGNORED, Generator, Pair
from ecqg.questions.sampling import State
from ecqg.training.batches import pad


class Causal(Generator):
    """A decoder-only language model: the source is its prompt, the loss is on the target alone.

    Sequences are padded on the left, so that all targets end in the last column and logits are
    computed for the target's columns only.
    """

    side = "left"

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        """See Generator. A line break ends the source, even one that was cut."""
        line_break = self._tokens(["\n"])[0]
        room = self._max_source - len(line_break)
        inputs = [ids[:room] + line_break for ids in self._tokens(sources)]
        outputs = [[*ids, self._end][: self._max_target] for ids in self._tokens(targets)]
        return [Pair(a, b) for a, b in zip(inputs, outputs, strict=True)]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return list(
            self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        )

    def _inputs(self, batch: Sequence[Pair]) -> tuple[torch.Tensor, dict[str, Any]]:
        device = self.model.device
        rows, targets = [p.source + p.target for p in batch], [p.target for p in batch]
        width = self._width(rows)
        tokens, mask = pad(rows, self._pad, width, "left", device)
        # Every target's first token is predicted from a token before it.
        width = min(self._width(targets), width - 1)
        target, _ = pad(targets, IGNORED, width, "left", device)
        return target, {
            "input_ids": tokens,
            "attention_mask": mask,
            "position_ids": _positions(mask),
            "logits_to_keep": target.shape[1] + 1,
        }

    def _begin(
        self, tokens: torch.Tensor, mask: torch.Tensor, samples: int
    ) -> tuple[State, torch.Tensor]:
        """See Generator; all but the prompts' last tokens are read at once."""
        from transformers.cache_utils import DynamicCache

        cache = DynamicCache()
        # At least two tokens: encode() appends a line break to every source.
        self.model(
            input_ids=tokens[:, :-1],
            attention_mask=mask[:, :-1],
            position_ids=_positions(mask)[:, :-1],
            past_key_values=cache,
            logits_to_keep=1,
            use_cache=True,
        )
        cache.batch_repeat_interleave(samples)
        mask = mask[:, :-1].repeat_interleave(samples, 0)

        def advance(last: torch.Tensor) -> torch.Tensor:
            nonlocal mask
            mask = torch.cat([mask, mask.new_ones(len(last), 1)], 1)
            logits: torch.Tensor = self.model(
                input_ids=last[:, None],
                attention_mask=mask,
                position_ids=_positions(mask)[:, -1:],
                past_key_values=cache,
                use_cache=True,
            ).logits[:, -1]
            return logits

        def keep(rows: torch.Tensor) -> None:
            nonlocal mask
            mask = mask[rows]
            cache.batch_select_indices(rows)

        return State(advance, keep), tokens[:, -1].repeat_interleave(samples)


def _positions(mask: torch.Tensor) -> torch.Tensor:
    return (mask.cumsum(-1) - 1).clamp_min(0)
