"""Token ids on disk: tokenized once, resumed after a kill, memory-mapped.

Scratch of an encoding or a training under way, in three flat files: `ids` (int32, sequence after
sequence), `offsets` (int64, where each begins, and the end of the last) and `second` (int32), as in
`Tokens`. Those of a collection are made once for all encoders that have the same tokenizer.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from ecqg import paths
from ecqg.columns import Columns
from ecqg.corpus.passages import Passages
from ecqg.digests import code_digest
from ecqg.encoder.tokens import TOKENIZE_AT_ONCE, Titled, Tokens, tokenize_passages
from ecqg.files import remove
from ecqg.progress import track
from ecqg.resume import digest

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

COLUMNS = {"ids": np.int32, "offsets": np.int64, "second": np.int32}
KEEP = 2  # of a collection: the study's tokenizer and a public encoder's


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

    Memory holds one block of passages. The next call resumes a killed one; the tokenizer uses all
    cores. Without a folder the files are temporary.
    """
    with TemporaryDirectory() as temporary:  # the maps keep the files
        file = TokenFile(folder or Path(temporary))
        total, done = len(passages), len(file)
        begins = range(done, total, TOKENIZE_AT_ONCE)
        blocks = (passages[begin : begin + TOKENIZE_AT_ONCE] for begin in begins)
        what = "tokenize passages"
        for block in track(blocks, what, total=total, done=done, unit="passage", size=len):
            titles, texts = [p.title for p in block], [p.text for p in block]
            file.append(tokenize_passages(tokenizer, titles, texts, max_tokens))
        return file.read(like=tokenize_passages(tokenizer, [], [], max_tokens))


def collection_tokens(
    passages_file: Path, tokenizer: PreTrainedTokenizerBase, max_tokens: int
) -> Tokens:
    """What `tokenize_passages` gives of a passage store, which has passages, memory-mapped.

    It is scratch under the digest of what it was made from: the systems of a study, which share a
    tokenizer, share it. A process waits while another one makes it, and resumes where that was
    killed. Of a collection the KEEP last used remain; maps of others stay readable.
    """
    rules = json.loads(tokenizer.backend_tokenizer.to_str())
    rules.update(padding=None, truncation=None)  # each use sets these
    code = code_digest(Path(__file__).with_name("tokens.py"))
    special = (str(tokenizer.cls_token), str(tokenizer.sep_token))
    key = digest([passages_file], code, version("tokenizers"), rules, special, max_tokens)
    folder = paths.TOKENS / passages_file.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = tokenize_on_disk(folder / key, tokenizer, Passages(passages_file), max_tokens)
        now = time.time_ns()  # the kernel's own time of a file may be milliseconds old
        os.utime(folder / key, ns=(now, now))
        folders = [path for path in folder.iterdir() if path.is_dir()]
        for old in sorted(folders, key=lambda path: path.stat().st_mtime_ns)[:-KEEP]:
            remove(old)
    return made
