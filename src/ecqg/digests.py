"""Digests of files, and of what modules do, remembered from process to process."""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
import tokenize
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ecqg.files import conform, parse_json, write_text

FOLDER = Path(".cache/ecqg/digests")  # scratch that may be deleted at any time
# Nanoseconds. File systems state times as coarsely as two seconds: a file that was changed twice
# within them would look the same.
SETTLED = 2 * 10**9
LAYOUT = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


def content_digest(file: Path) -> str:
    """128 hexadecimal digits of a file's bytes."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "blake2b").hexdigest()


def code_digest(module: Path) -> str:
    """32 hexadecimal digits of what a file does; of all its text where that is no Python."""
    text = module.read_text(encoding="utf-8")
    # Another module may be half edited while a stage starts that does not import it.
    with suppress(tokenize.TokenError, SyntaxError):
        text = effective(text) if module.suffix == ".py" else text
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def effective(text: str) -> str:
    """A module's text without comments, strings that are statements of their own, blank lines and
    blanks at the end of lines. The same under every version of Python.
    """
    rows = text.split("\n")
    cut: list[tuple[tuple[int, int], tuple[int, int]]] = []
    literal: set[int] = set()  # rows that end inside of a string that stays
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            cut.append((token.start, token.end))
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            if statement and all(part.type == tokenize.STRING for part in statement):
                cut.append((statement[0].start, statement[-1].end))
            else:
                for part in statement:
                    literal.update(range(part.start[0], part.end[0]))
            statement = []
        elif token.type not in LAYOUT:
            statement.append(token)
    for (first, start), (last, end) in sorted(cut, reverse=True):
        rows[first - 1 : last] = [rows[first - 1][:start] + rows[last - 1][end:]] + [""] * (
            last - first
        )
    rows = [row if number in literal else row.rstrip() for number, row in enumerate(rows, 1)]
    return "".join(f"{row}\n" for number, row in enumerate(rows, 1) if row or number in literal)


def remembered(
    digest: Callable[[Path], str], files: Iterable[Path], *, smallest: int = 0
) -> list[str]:
    """`digest(file)` of each file, computed only where the file is not as it was the last time.

    It is, where device, inode, size in bytes and the times of its last modification and change
    are; what gets new bytes without any of these is not noticed. A time younger than SETTLED is
    not relied on. Files of fewer than `smallest` bytes are digested each time.

    Digests are stored in FOLDER by the name of `digest`, for files that are still there. Processes
    side by side may each drop what the other added, which costs time only, as does a file in
    FOLDER that cannot be read. Raises OSError for a file that cannot be read.
    """
    store = FOLDER / f"{digest.__name__}.json"
    known = _read(store)
    found: list[str] = []
    added: dict[str, str] = {}
    for file in files:
        since = time.time_ns()
        before, changed, size = _state(file)
        name = str(file.absolute())
        state, _, value = known.get(name, "").partition(" ")
        if state != before:
            value = digest(file)
            if size >= smallest and changed < since - SETTLED:
                added[name] = f"{before} {value}"
        found.append(value)
    if added:
        # Path.exists raises where a name is too long for a file, as one in a damaged file may be.
        exists = os.path.exists
        there = {name: entry for name, entry in _read(store).items() if exists(name)}
        write_text(store, json.dumps(there | added, indent=0) + "\n")
    return found


def _state(file: Path) -> tuple[str, int, int]:
    """What tells a file from others and from itself later, when it changed (ns), and its bytes."""
    now = file.stat()
    parts = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    return "-".join(map(str, parts)), max(now.st_mtime_ns, now.st_ctime_ns), now.st_size


def _read(store: Path) -> dict[str, str]:
    try:
        return conform(parse_json(store.read_text(encoding="utf-8")), dict[str, str])
    except (OSError, ValueError):
        return {}
