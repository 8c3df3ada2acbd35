"""A collection's token ids on disk: tokenized once, gone on with after a kill, memory-mapped.

Scratch of an encoding under way, in three flat files: `ids` (int32, sequence after sequence),
`offsets` (int64, where each begins, and the end of the last) and `second` (int32), as in `Tokens`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ecqg.encoder.tokens import TOKENIZE_AT_ONCE, Titled, Tokens, tokenize_passages
from ecqg.files import read_json, write_json
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

    Memory holds one block of passages. A block counts once it is on disk, so that a killed call
    is gone on with by the next one; the tokenizer uses all cores.
    """
    folder.mkdir(parents=True, exist_ok=True)
    counts = folder / "counts.json"  # what of the three files is whole; behind it is a torn block
    have = read_json(counts) if counts.is_file() else {"passages": 0, "tokens": 0}
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / name).open("ab")) for name in COLUMNS}
        for name, file in files.items():
            entries = have["tokens"] if name == "ids" else have["passages"]
            file.truncate(entries * np.dtype(COLUMNS[name]).itemsize)
        begins = range(have["passages"], len(passages), TOKENIZE_AT_ONCE)
        for begin in track(begins, "tokenize passages", unit=f"x{TOKENIZE_AT_ONCE}"):
            block = passages[begin : begin + TOKENIZE_AT_ONCE]
            titles, texts = [p.title for p in block], [p.text for p in block]
            tokens = tokenize_passages(tokenizer, titles, texts, max_tokens)
            files["ids"].write(tokens.ids.tobytes())
            files["offsets"].write((tokens.offsets[:-1] + have["tokens"]).tobytes())
            files["second"].write(tokens.second.tobytes())
            for file in files.values():
                file.flush()
                os.fsync(file.fileno())
            have = {
                "passages": have["passages"] + len(tokens),
                "tokens": have["tokens"] + len(tokens.ids),
            }
            write_json(counts, have)
        files["offsets"].write(np.array([have["tokens"]], np.int64).tobytes())
    ids, offsets, second = (np.memmap(folder / n, dtype, "r") for n, dtype in COLUMNS.items())
    nothing = tokenize_passages(tokenizer, [], [], max_tokens)
    return Tokens(ids, offsets, second, nothing.separators, nothing.typed)
