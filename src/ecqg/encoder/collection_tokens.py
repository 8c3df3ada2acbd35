"""A collection's token ids, made once for all encoders that have the same tokenizer."""

from __future__ import annotations

import fcntl
import json
import os
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.digests import code_digest
from ecqg.encoder import tokens
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import Tokens
from ecqg.files import remove
from ecqg.resume import digest

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

KEEP = 2  # of a collection: the study's tokenizer and a public encoder's


def collection_tokens(
    passages_file: Path, tokenizer: PreTrainedTokenizerBase, max_tokens: int
) -> Tokens:
    """What `tokenize_passages` gives of a passage store, which has passages, memory-mapped.

    It is scratch, kept by the digest of what it was made from: the systems of a study, which share
    a tokenizer, share it. Who comes while another process makes it waits, and goes on with it where
    that was killed. Of a collection the KEEP last used are kept; maps of others stay readable.
    """
    how = (code_digest(Path(tokens.__file__)), version("tokenizers"), _state(tokenizer), max_tokens)
    key = digest([passages_file], *how)
    folder = paths.TOKENS / passages_file.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = tokenize_on_disk(folder / key, tokenizer, Passages(passages_file), max_tokens)
        now = time.time_ns()  # the kernel's own time of a file may be milliseconds old
        os.utime(folder / key, ns=(now, now))
        by_use = sorted((path for path in folder.iterdir() if path.is_dir()), key=_used)
        for old in by_use[:-KEEP]:
            remove(old)
    return made


def _state(tokenizer: PreTrainedTokenizerBase) -> list[Any]:
    """All that token ids depend on. Padding and truncation, which each use sets, do not count."""
    rules = json.loads(tokenizer.backend_tokenizer.to_str())
    rules.update(padding=None, truncation=None)
    special = (tokenizer.cls_token, tokenizer.sep_token)
    return [rules, *map(str, special)]


def _used(folder: Path) -> int:
    return folder.stat().st_mtime_ns
