"""Vectors of many texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import torch

from ecqg.encoder.architectures import max_tokens
from ecqg.encoder.load import load_text_encoder
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.encoder.tokens import Tokens, tokenize_passages, tokenize_questions
from ecqg.errors import InputError
from ecqg.params import Encoder
from ecqg.progress import track
from ecqg.training.device import autocast, explain_out_of_memory, pick_device

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Vectors = np.ndarray[Any, np.dtype[np.float32]]
TOKENS_PER_BATCH = {"cpu": 8192, "cuda": 131_072}
WINDOW = 8192  # passages that are tokenized and sorted by length together


class Titled(Protocol):
    """A passage or a context."""

    @property
    def title(self) -> str:
        """May be empty."""

    @property
    def text(self) -> str:
        """The body."""


class Encoding:
    """One half of a dual encoder, ours or a public one, ready to encode texts."""

    def __init__(self, folder: Path, settings: Encoder) -> None:
        self._model, self._tokenizer = load_text_encoder(folder)
        self._model.to(pick_device()).eval()
        self._settings = settings
        check_lengths(self._model.backbone, settings)

    @property
    def hidden(self) -> int:
        """Dimensions of a vector."""
        return self._model.dimensions

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, [n, hidden]."""
        tokens = tokenize_questions(self._tokenizer, texts, self._settings.max_question_tokens)
        return encode_rows(self._model, tokens, self._settings.precision)

    def passages(self, passages: Sequence[Titled], out: Vectors | None = None) -> Vectors:
        """Vectors of passages, [n, hidden].

        They are written window by window into `out` (such as a memory map of a file) where it
        is given, so that 21M passages need no more memory than one window.
        """
        if out is None:
            out = np.empty((len(passages), self.hidden), np.float32)
        windows = range(0, len(passages), WINDOW)
        for begin in track(windows, "encode passages", unit=f"x{WINDOW}"):
            window = passages[begin : begin + WINDOW]
            tokens = tokenize_passages(
                self._tokenizer,
                [p.title for p in window],
                [p.text for p in window],
                self._settings.max_passage_tokens,
            )
            out[begin : begin + WINDOW] = encode_rows(self._model, tokens, self._settings.precision)
        return out


def encode_questions(folder: Path, texts: Sequence[str], settings: Encoder) -> Vectors:
    """Vectors of questions, float32 [n, hidden], by the encoder in `folder`."""
    return Encoding(folder, settings).questions(texts)


def encode_passages(folder: Path, passages: Sequence[Titled], settings: Encoder) -> Vectors:
    """Vectors of passages, float32 [n, hidden], by the encoder in `folder`."""
    return Encoding(folder, settings).passages(passages)


@torch.inference_mode()
def encode_rows(
    model: PreTrainedModel | TextEncoder, tokens: Tokens, precision: Literal["fp32", "bf16"]
) -> Vectors:
    """Vectors of token sequences in their order, [n, hidden]; a bare backbone gives its [CLS].

    Sequences of like length are computed together, up to a number of tokens; a vector depends on
    its company by rounding only.
    """
    encoder = model if isinstance(model, TextEncoder) else TextEncoder(model)
    device = next(encoder.parameters()).device
    lengths = tokens.lengths()
    order = np.argsort(lengths, kind="stable")
    out = np.empty((len(tokens), encoder.dimensions), np.float32)
    with (
        autocast(device, precision),
        explain_out_of_memory("encoder.max_passage_tokens"),
    ):
        for rows in _by_budget(order, lengths, TOKENS_PER_BATCH.get(device.type, 8192)):
            vectors = encoder(tokens.batch(rows).to(device))
            out[rows] = vectors.float().cpu().numpy()
    return out


def _by_budget(
    order: np.ndarray[Any, Any], lengths: np.ndarray[Any, Any], budget: int
) -> list[np.ndarray[Any, Any]]:
    """Cut `order` where the tokens so far, counted as padded, pass the budget."""
    cuts, first = [], 0
    for i, row in enumerate(order):
        if i > first and (i + 1 - first) * lengths[row] > budget:
            cuts.append(i)
            first = i
    return [rows for rows in np.split(order, cuts) if len(rows)]


def check_lengths(model: PreTrainedModel, settings: Encoder) -> None:
    """Raise InputError where the encoder has no positions for the lengths asked."""
    limit = max_tokens(model)
    for name in ("max_question_tokens", "max_passage_tokens"):
        if getattr(settings, name) > limit:
            raise InputError(
                f"encoder.{name} is {getattr(settings, name)}, more than the encoder's {limit} "
                "positions",
                file="params.yaml",
                remedy=f"set it to {limit} or less",
            )
