"""Whole files or none: write aside, then rename; and checksums."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from ecqg.errors import InputError


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a path beside `path` to write a file or a folder to; rename it on success.

    On an exception the partial output is removed and `path` is left as it was. A folder that
    stands at `path` is replaced. What killed processes left of the same output is removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if not _running(left.suffixes[-2][1:]):
            remove(left)
    aside = path.parent / f".{path.name}.{os.getpid()}.part"
    remove(aside)
    try:
        yield aside
        if path.is_dir():
            shutil.rmtree(path)
        aside.replace(path)
    finally:
        remove(aside)


def _running(number: str) -> bool:
    """Whether there is a process of that number, or what names it is no number."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OSError):
        pass
    return True


def remove(path: Path) -> None:
    """Delete a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text with line feeds, whole or not at all."""
    with atomic(path) as aside:
        aside.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | Path, value: object) -> None:
    """Write indented JSON; keys keep the order in which they were inserted."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def read_json(path: str | Path) -> Any:
    """Read one JSON value. Raises InputError on malformed JSON, naming file and line."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON ({error.msg})",
            file=path,
            line=error.lineno,
            remedy="mend or remake the file",
        ) from None


def write_jsonl(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object a line, as a stream."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_jsonl(path: str | Path) -> Iterator[dict[str, Any]]:
    """Read one JSON object a line, as a stream. Raises InputError naming file and line."""
    with Path(path).open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError("not an object")
            except ValueError as error:
                raise InputError(
                    f"not a JSON object ({error})",
                    file=path,
                    line=number,
                    remedy='write one object a line, such as {"question": "..."}',
                ) from None
            yield cast(dict[str, Any], record)


def sha256(path: str | Path) -> str:
    """The hexadecimal SHA-256 of a file's bytes."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
