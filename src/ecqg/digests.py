"""Digests of files, remembered from process to process while the files stay as they are."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ecqg.files import parse_json, write_text
from ecqg.schema import conform

FOLDER = Path(".cache/ecqg/digests")  # scratch that may be deleted at any time
# Nanoseconds. File systems state times as coarsely as two seconds: a file that was changed twice
# within them would look the same.
SETTLED = 2 * 10**9


def content_digest(file: Path) -> str:
    """128 hexadecimal digits of a file's bytes."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "blake2b").hexdigest()


def remembered(
    digest: Callable[[Path], str], files: Iterable[Path], *, smallest: int = 0
) -> list[str]:
    """`digest(file)` of each file, computed only where the file is not as it was the last time.

    It is, where device, inode, size in bytes and the times of its last modification and change
    are; what gets new bytes without any of these is not noticed. A time younger than SETTLED is
    not relied on. Files of fewer than `smallest` bytes are digested each time.

    Digests are kept in FOLDER by the name of `digest`, for files that are still there. Processes
    side by side may each drop what the other added, which costs time only, as does a file in
    FOLDER that cannot be read. Raises OSError for a file that cannot be read.
    """
    kept = FOLDER / f"{digest.__name__}.json"
    known = _read(kept)
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
        there = {name: entry for name, entry in _read(kept).items() if Path(name).exists()}
        write_text(kept, json.dumps(there | added, indent=0) + "\n")
    return found


def _state(file: Path) -> tuple[str, int, int]:
    """What tells a file from others and from itself later, when it changed (ns), and its bytes."""
    now = file.stat()
    parts = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    return "-".join(map(str, parts)), max(now.st_mtime_ns, now.st_ctime_ns), now.st_size


def _read(kept: Path) -> dict[str, str]:
    try:
        return conform(parse_json(kept.read_text(encoding="utf-8")), dict[str, str])
    except (OSError, ValueError):
        return {}
