"""Token ids on disk: tokenized once, gone on with after a kill, memory-mapped.

Scratch of an encoding or a training under way, in three flat files: `ids` (int32, sequence after
sequence), `offsets` (int64, where each begins, and the end of the last) and `second` (int32), as in
`Tokens`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from ecqg.columns import Columns
from ecqg.encoder.tokens import TOKENIZE_AT_ONCE, Titled, Tokens, tokenize_passages
from ecqg.progress import track

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

COLUMNS = {"ids": np.int32, "offsets": np.int64, "second": np.int32}


class TokenFile:
    """Sequences in a folder, which is made if need be; a killed call to `append` leaves none."""

    def __init__(self, folder: Path) -> None:
        self._columns = Columns(folder, COLUMNS)

    def __len__(self) -> int:
        return self._columns.lengths["second"]

    def append(self, tokens: Tokens) -> None:
        """Write sequences behind those that are there."""
        lengths = self._columns.lengths
        offsets = tokens.offsets[bool(lengths["offsets"]) :] + lengths["ids"]
        self._columns.append(ids=tokens.ids, offsets=offsets, second=tokens.second)

    def read(self, like: Tokens) -> Tokens:
        """All sequences, at least one, memory-mapped; they have the segments of `like`."""
        ids, offsets, second = (self._columns.read(name) for name in COLUMNS)
        return Tokens(ids, offsets, second, like.separators, like.typed)


def tokenize_on_disk(
    folder: Path | None,
    tokenizer: PreTrainedTokenizerBase,
    passages: Sequence[Titled],
    max_tokens: int,
) -> Tokens:
    """What `tokenize_passages` gives of all `passages`, at least one, memory-mapped from `folder`.

    Memory holds one block of passages. A killed call is gone on with by the next one; the tokenizer
    uses all cores. Without a folder the files are temporary.
    """
    if folder is None:
        with TemporaryDirectory() as temporary:  # the maps keep the files
            return tokenize_on_disk(Path(temporary), tokenizer, passages, max_tokens)
    file = TokenFile(folder)
    begins = range(len(file), len(passages), TOKENIZE_AT_ONCE)
    blocks = (passages[begin : begin + TOKENIZE_AT_ONCE] for begin in begins)
    total, done = len(passages), len(file)
    for block in track(
        blocks, "tokenize passages", total=total, done=done, unit="passage", size=len
    ):
        titles, texts = [p.title for p in block], [p.text for p in block]
        file.append(tokenize_passages(tokenizer, titles, texts, max_tokens))
    return file.read(like=tokenize_passages(tokenizer, [], [], max_tokens))
