"""Floating-point operations of BERT's and BART's forward passes, for floors and ceilings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def of_encoder(lengths: Sequence[int], config: Any, *, whole: bool = False) -> float:
    """Of packed texts through a BERT whose last layer computes [CLS] alone, or is `whole`."""
    h, f, tokens = config.hidden_size, config.intermediate_size, float(np.sum(lengths))
    linear = 2 * (4 * h * h + 2 * h * f)  # a token, in a whole layer
    layer = linear * tokens + 4 * h * float(np.square(lengths).sum())
    # [CLS] alone: its linear maps, the key folded into its query, and all tokens twice a head.
    first = len(lengths) * linear + 4 * config.num_attention_heads * h * tokens
    return (config.num_hidden_layers - (not whole)) * layer + (0 if whole else first)


def of_generator(sources: Sequence[int], written: float, config: Any) -> float:
    """Of BART: sources encoded once, `written` tokens decoded, each looking at a mean source."""
    h, f = config.d_model, config.encoder_ffn_dim
    tokens = float(np.sum(sources))
    encoder = 2 * tokens * (4 * h * h + 2 * h * f) + 4 * h * float(np.square(sources).sum())
    keys = 4 * h * h * tokens  # of the decoder's layers, of each source once
    step = 2 * (6 * h * h + 2 * h * f) + 4 * h * tokens / len(sources)
    head = 2 * h * config.vocab_size
    return (
        config.encoder_layers * encoder
        + config.decoder_layers * (keys + written * step)
        + written * head
    )
