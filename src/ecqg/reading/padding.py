"""Windows as padded tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ecqg.reading.training_set import TrainingWindow
from ecqg.reading.windows import Window
from ecqg.training import batches


def pad(
    windows: Sequence[Window | TrainingWindow], pad_id: int, width: int | None = None
) -> dict[str, Tensor]:
    """A model's input: input_ids, token_type_ids, attention_mask, each [windows, width].

    `width` is that of the longest window where it is not given.
    """
    ids, mask = batches.pad([w.ids for w in windows], pad_id, width)
    types, _ = batches.pad([w.types for w in windows], 0, width)
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def edges(windows: Sequence[Window]) -> tuple[Tensor, Tensor]:
    """Which tokens an answer may start and end at, booleans [windows, tokens].

    Answers are whole words of the context.
    """
    columns = np.arange(max(len(w.ids) for w in windows))
    first = np.array([w.first for w in windows])[:, None]
    context = (columns >= first) & (columns < first + [[len(w.spans)] for w in windows])
    may_start, may_end = np.zeros_like(context), np.zeros_like(context)
    may_start[context] = np.concatenate([w.word_starts for w in windows])
    may_end[context] = np.concatenate([w.word_ends for w in windows])
    return torch.from_numpy(may_start), torch.from_numpy(may_end)
