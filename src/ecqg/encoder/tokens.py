"""Texts as token ids, tokenized once, and batches of them: packed, or padded where that is less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TOKENIZE_AT_ONCE = 4096
Array = NDArray[Any]
Spans = list[tuple[int, int]]  # characters of a text's pieces
PADDING = 0.05  # of a batch's tokens: to compute that much costs less than to do without it


class Titled(Protocol):
    """A passage or a context."""

    @property
    def title(self) -> str:
        """May be empty."""

    @property
    def text(self) -> str:
        """The body."""


@dataclass(frozen=True)
class Tokens:
    """Token sequences, one after the other.

    Sequence i is `ids[offsets[i] : offsets[i + 1]]`, special tokens included; `second[i]` is the
    position at which its second segment begins, its length where there is none.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    second: NDArray[np.int32]
    separators: int = 1  # special tokens between two segments
    typed: bool = True  # whether second segments have token type 1, or all tokens type 0

    def __len__(self) -> int:
        return len(self.second)

    def lengths(self) -> NDArray[np.int64]:
        """Tokens in each sequence."""
        return np.diff(self.offsets)

    def batch(self, rows: NDArray[Any], padding: float = 0.0) -> Batch:
        """The sequences of `rows`, in that order.

        Where padding all to the longest adds no more than `padding` times their tokens, the batch
        has as many, and no layer need put them side by side; what padding computes, nobody sees.
        """
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        sizes, width = lengths, lengths.max()
        if len(rows) * width <= (1 + padding) * lengths.sum():
            sizes = np.full(len(rows), width)
        starts = np.cumsum(sizes) - sizes
        positions = np.arange(sizes.sum()) - np.repeat(starts, sizes)
        # Padding is the last token of a sequence once more.
        inside = np.minimum(positions, np.repeat(lengths - 1, sizes))
        ids = self.ids[np.repeat(self.offsets[rows], sizes) + inside]
        types = (positions >= np.repeat(self.second[rows], sizes)) & self.typed
        return Batch.of(ids, types, positions, starts, lengths)


@dataclass(frozen=True)
class Batch:
    """n sequences, the longest of `width` tokens, one after the other: t tokens in all.

    Packed, t is the sum of their lengths; padded, n * width. `mask` tells padding from tokens.
    """

    ids: torch.Tensor  # [t]
    types: torch.Tensor  # [t] token types
    positions: torch.Tensor  # [t] within the sequence
    starts: torch.Tensor  # [n] where each sequence's first token, [CLS], is
    slots: torch.Tensor  # [t] each token's place in a padded [n * width] layout
    mask: torch.Tensor  # [n, width] true where a token is

    @classmethod
    def of(cls, ids: Array, types: Array, positions: Array, starts: Array, lengths: Array) -> Batch:
        """`lengths` [n] are those of the sequences without padding."""
        width = int(lengths.max())
        sizes = np.diff(starts, append=len(ids))
        return cls(
            ids=torch.from_numpy(ids.astype(np.int64)),
            types=torch.from_numpy(types.astype(np.int64)),
            positions=torch.from_numpy(positions),
            starts=torch.from_numpy(starts),
            slots=torch.from_numpy(np.repeat(np.arange(len(sizes)) * width, sizes) + positions),
            mask=torch.from_numpy(np.arange(width) < lengths[:, None]),
        )

    def arrays(self) -> dict[str, Array]:
        """As another process gets it."""
        return {name: tensor.numpy() for name, tensor in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Batch:
        """What `arrays` gave."""
        return cls(**{name: torch.from_numpy(array) for name, array in arrays.items()})

    def to(self, device: torch.device) -> Batch:
        """The batch on a device; returns without waiting for the copy."""
        if device.type == "cpu":
            return self
        move = {k: v.pin_memory().to(device, non_blocking=True) for k, v in vars(self).items()}
        return Batch(**move)


def tokenize_questions(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], max_tokens: int
) -> Tokens:
    """[CLS] question [SEP] each, or what the tokenizer calls these, cut to `max_tokens`."""
    return tokenize_passages(tokenizer, ["" for _ in texts], texts, max_tokens)


def tokenize_passages(
    tokenizer: PreTrainedTokenizerBase,
    titles: Sequence[str],
    texts: Sequence[str],
    max_tokens: int,
) -> Tokens:
    """[CLS] title [SEP] text [SEP] each, as DPR; [CLS] text [SEP] where the title is empty.

    Equal to the tokenizer's own pairs with truncation `only_second`: the text gives way, never
    the title, save a title longer than half of `max_tokens`, which is cut to that. RoBERTa's
    tokenizer so has <s> title </s></s> text </s>. Token types are 0 and 1 where the tokenizer's
    model_input_names have token_type_ids, else 0: so with the tokenizers of Facebook's encoders
    (see `load_backbone`).
    """
    return tokenize_and_locate(tokenizer, titles, texts, max_tokens, located=False)[0]


def tokenize_and_locate(
    tokenizer: PreTrainedTokenizerBase,
    titles: Sequence[str],
    texts: Sequence[str],
    max_tokens: int,
    located: bool = True,
) -> tuple[Tokens, list[Spans]]:
    """`tokenize_passages`, and where in each text its pieces are, those that were cut off too."""
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    separators = tokenizer.num_special_tokens_to_add(pair=True) - 2
    flat: list[NDArray[np.int32]] = []
    lengths: list[int] = []
    second: list[int] = []
    spans: list[Spans] = []
    for begin in range(0, len(texts), TOKENIZE_AT_ONCE):
        end = begin + TOKENIZE_AT_ONCE
        block: list[int] = []
        first, _ = _pieces(tokenizer, titles[begin:end])
        bodies, places = _pieces(tokenizer, texts[begin:end], located)
        spans += places
        for title, text in zip(first, bodies, strict=True):
            head = [cls, *title[: max_tokens // 2], *[sep] * separators] if title else [cls]
            body = [*text[: max_tokens - len(head) - 1], sep]
            block += head
            block += body
            lengths.append(len(head) + len(body))
            second.append(len(head) if title else lengths[-1])
        flat.append(np.array(block, np.int32))
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    ids = np.concatenate(flat) if flat else np.zeros(0, np.int32)
    typed = "token_type_ids" in tokenizer.model_input_names
    return Tokens(ids, offsets, np.array(second, np.int32), separators, typed), spans


def _pieces(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], located: bool = False
) -> tuple[list[list[int]], list[Spans]]:
    """Word pieces without special tokens and truncation, and their spans where `located`."""
    if not any(texts):
        return [[] for _ in texts], [[] for _ in texts] if located else []
    encoded = tokenizer(
        list(texts),
        add_special_tokens=False,
        return_attention_mask=False,
        return_token_type_ids=False,
        return_offsets_mapping=located,
        verbose=False,
    )
    return encoded["input_ids"], encoded["offset_mapping"] if located else []
