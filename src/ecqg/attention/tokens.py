"""The [CLS] attention of passages, token by token, with each token's place in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.attention.cls_attention import ClsAttention
from ecqg.corpus.passages import Passage
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import Tokens, tokenize_passages
from ecqg.training.device import autocast, pick_device

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SPECIAL, TITLE, TEXT = 0, 1, 2
BLOCK_PASSAGES = 4096  # tokenized together and sorted by length
BATCH_TOKENS = 16_384  # in one forward pass, padding included


@dataclass(frozen=True, slots=True)
class TokenAttention:
    """What [CLS] of the last layer attends to in one passage of n tokens."""

    row: int  # the passage's
    weights: NDArray[np.float32]  # [n] mean over heads; they sum to 1 over all tokens
    kinds: NDArray[np.int8]  # [n] SPECIAL, TITLE or TEXT
    starts: NDArray[np.int32]  # [t] first character, in the text, of each TEXT token, in order
    ends: NDArray[np.int32]  # [t] one past its last character
    truncated: bool  # the text goes on where the encoder's length limit is

    def text_weights(self) -> NDArray[np.float32]:
        """Weights of the TEXT tokens, [t]; unnormalised."""
        weights: NDArray[np.float32] = self.weights[self.kinds == TEXT]
        return weights


class PassageAttention:
    """A passage encoder, read from a Hugging Face folder, as a source of attention weights."""

    def __init__(self, folder: Path, max_tokens: int, precision: Literal["fp32", "bf16"]) -> None:
        """`max_tokens` and `precision` are those with which the encoder encodes passages.

        Raises InputError as `load_encoder` does.
        """
        encoder, self._tokenizer = load_encoder(folder)
        self._device = pick_device()
        self._model = ClsAttention(encoder).to(self._device)
        self._max_tokens = max_tokens
        self._precision = precision

    def attend(self, passages: Iterable[Passage]) -> Iterator[TokenAttention]:
        """The attention of each passage, in order; passages are drawn in blocks."""
        stream = iter(passages)
        while block := list(islice(stream, BLOCK_PASSAGES)):
            yield from self._attend_block(block)

    def _attend_block(self, block: Sequence[Passage]) -> Iterator[TokenAttention]:
        texts = [passage.text for passage in block]
        titles = [passage.title for passage in block]
        tokens = tokenize_passages(self._tokenizer, titles, texts, self._max_tokens)
        weights: dict[int, NDArray[np.float32]] = {}
        for rows in batches_by_length(tokens.lengths()):
            weights.update(zip(rows.tolist(), self._weights(tokens, rows), strict=True))
        for row, offsets in enumerate(_offsets(self._tokenizer, texts)):
            yield locate(block[row].row, weights[row], int(tokens.second[row]), offsets)

    def _weights(self, tokens: Tokens, rows: NDArray[np.int64]) -> list[NDArray[np.float32]]:
        batch = tokens.batch(rows).to(self._device)
        shape = batch.mask.shape

        def padded(packed: torch.Tensor, fill: int) -> torch.Tensor:
            full = packed.new_full((shape.numel(),), fill)
            return full.index_copy(0, batch.slots, packed).view(shape)

        pad = self._tokenizer.pad_token_id
        with autocast(self._device, self._precision):
            weights = self._model(padded(batch.ids, pad), batch.mask, padded(batch.types, 0))
        lengths = tokens.lengths()[rows].tolist()
        return [w[:n] for w, n in zip(weights.cpu().numpy(), lengths, strict=True)]


def batches_by_length(lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Indexes in batches of at most BATCH_TOKENS padded tokens, the longest sequences first."""
    order = np.argsort(-lengths, kind="stable")
    first = 0
    while first < len(order):
        size = max(1, BATCH_TOKENS // max(1, int(lengths[order[first]])))
        yield order[first : first + size]
        first += size


def locate(
    row: int,
    weights: NDArray[np.float32],
    second: int,
    offsets: Sequence[tuple[int, int]],
) -> TokenAttention:
    """Tell apart [CLS], title, [SEP], text and [SEP], and place the text's tokens.

    `second` is the position of the text's first token in a sequence with a title, the sequence's
    length without one; `offsets` are the character spans of all of the text's word pieces, more
    than the sequence holds where it is truncated.
    """
    n = len(weights)
    begin = second if second < n else 1
    kinds = np.full(n, TEXT, np.int8)
    kinds[1 : begin - 1] = TITLE
    kinds[[0, begin - 1, n - 1]] = SPECIAL
    held = n - 1 - begin
    spans = np.array(offsets[:held], np.int32).reshape(-1, 2)
    return TokenAttention(row, weights, kinds, spans[:, 0], spans[:, 1], len(offsets) > held)


def _offsets(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> list[list[tuple[int, int]]]:
    """Character spans of the word pieces of each text, untruncated."""
    encoded = tokenizer(
        list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    offsets: list[list[tuple[int, int]]] = encoded["offset_mapping"]
    return offsets
