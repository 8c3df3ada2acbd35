"""A passage's [CLS] attention, token by token, with each token's place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPECIAL, TITLE, TEXT = 0, 1, 2


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

    def as_json(self) -> list[Any]:
        """Its fields in order, as JSON has them."""
        arrays = (self.weights, self.kinds, self.starts, self.ends)
        return [self.row, *(array.tolist() for array in arrays), self.truncated]

    @classmethod
    def from_json(cls, fields: list[Any]) -> TokenAttention:
        """What `as_json` was called on, to the bit."""
        row, *arrays, truncated = fields
        types = (np.float32, np.int8, np.int32, np.int32)
        weights, kinds, starts, ends = map(np.array, arrays, types)
        return cls(row, weights, kinds, starts, ends, truncated)


def locate(
    row: int,
    weights: NDArray[np.float32],
    second: int,
    offsets: Sequence[tuple[int, int]],
    separators: int = 1,
) -> TokenAttention:
    """Tell apart [CLS], title, [SEP], text and [SEP], and place the text's tokens.

    `second` is the position of the text's first token in a sequence with a title, the sequence's
    length without one; `offsets` are the character spans of all of the text's word pieces, more
    than the sequence holds where it is truncated. `separators` special tokens stand between
    title and text: 2 in RoBERTa.
    """
    n = len(weights)
    kinds = np.full(n, TEXT, np.int8)
    kinds[[0, n - 1]] = SPECIAL
    begin = 1
    if second < n:
        begin = second
        kinds[1 : begin - separators] = TITLE
        kinds[begin - separators : begin] = SPECIAL
    held = n - 1 - begin
    spans = np.array(offsets[:held], np.int32).reshape(-1, 2)
    return TokenAttention(row, weights, kinds, spans[:, 0], spans[:, 1], len(offsets) > held)
