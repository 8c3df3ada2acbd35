"""A collection's token ids on disk: tokenized once, gone on with after a kill, memory-mapped.

Scratch of an encoding under way, in three flat files: `ids` (int32, sequence after sequence),
`offsets` (int64, where each begins, and the end of the last) and `second` (int32), as in `Tokens`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ecqg.columns import Columns
from ecqg.encoder.tokens import TOKENIZE_AT_ONCE, Titled, Tokens, tokenize_passages
from ecqg.progress import track

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

COLUMNS = {"ids": np.int32, "offsets": np.int64, "second": np.int32}


def tokenize_on_disk(
    folder: Path,
    tokenizer: PreTrainedTokenizerBase,
    passages: Sequence[Titled],
    max_tokens: int,
) -> Tokens:
    """What `tokenize_passages` gives of all `passages`, at least one, memory-mapped from `folder`.

    Memory holds one block of passages. A killed call is gone on with by the next one; the tokenizer
    uses all cores.
    """
    columns = Columns(folder, COLUMNS)
    begins = range(columns.lengths["second"], len(passages), TOKENIZE_AT_ONCE)
    for begin in track(begins, "tokenize passages", unit=f"x{TOKENIZE_AT_ONCE}"):
        block = passages[begin : begin + TOKENIZE_AT_ONCE]
        titles, texts = [p.title for p in block], [p.text for p in block]
        tokens = tokenize_passages(tokenizer, titles, texts, max_tokens)
        offsets = tokens.offsets[:-1] + columns.lengths["ids"]
        columns.append(ids=tokens.ids, offsets=offsets, second=tokens.second)
    if columns.lengths["offsets"] == columns.lengths["second"]:
        columns.append(offsets=np.array([columns.lengths["ids"]], np.int64))
    ids, offsets, second = (columns.read(name) for name in COLUMNS)
    nothing = tokenize_passages(tokenizer, [], [], max_tokens)
    return Tokens(ids, offsets, second, nothing.separators, nothing.typed)
