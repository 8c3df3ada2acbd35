"""What a stage that was stopped leaves for its next start, outside of what DVC tracks."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from ecqg import closure, numerics
from ecqg.closure import versions
from ecqg.digests import code_digest, content_digest, remembered
from ecqg.errors import InputError
from ecqg.files import remove
from ecqg.locks import alone

FOLDER = Path(".cache/ecqg/resume")
LARGE = 2**20  # bytes: about a millisecond to read, which need not be saved


@contextmanager
def resumable(module: str, work: str, inputs: Iterable[Path], *settings: Any) -> Iterator[Path]:
    """Yield a folder that is still as it was left when the same work starts again.

    The work is the same where its name, the bytes of all `inputs` (files or folders), the
    `settings` (JSON values or dataclasses of them), the code of `module`, a dotted name, and of
    what that imports of this package (but no comments and docstrings), the versions of libraries
    and how they compute (`ecqg.numerics`) are: then a stage that was killed finds what it had
    written. Other folders of the work are removed, and this one is too when the block ends without
    an exception. After an exception it stays, as its cause (a device that is misspelt or short of
    memory, another input) may be mended without changing the work.
    Whole files only belong there (`ecqg.files.atomic`). One process at a time has it
    (`ecqg.locks.alone`). Raises InputError where another one does the same work and for an input
    that is not there, TypeError for settings that are no JSON, PackageNotFoundError where this
    package is not installed.
    """
    folder = FOLDER / work / digest(inputs, _code(module), versions(), numerics.mode(), *settings)
    with alone(work):
        if folder.parent.is_dir():
            for other in folder.parent.iterdir():
                if other != folder:
                    remove(other)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        remove(folder.parent)


def digest(inputs: Iterable[Path], *settings: Any) -> str:
    """32 hexadecimal digits of the contents of files and folders, and of settings.

    What `ecqg.digests.remembered` holds of large files is relied on. Raises InputError for what is
    not there.
    """
    total = hashlib.blake2b(digest_size=16)
    total.update(json.dumps(settings, sort_keys=True, default=_as_json).encode())
    for path in inputs:
        if not path.exists():
            remedy = "run the stage that makes it"
            raise InputError("no such file or folder", file=path, remedy=remedy)
        inside = sorted(p for p in path.rglob("*") if p.is_file())
        files = inside if path.is_dir() else [path]
        digests = remembered(content_digest, files, smallest=LARGE)
        for file, found in zip(files, digests, strict=True):
            name = file.relative_to(path).as_posix() if path.is_dir() else ""
            total.update(f"\n{name}\n{found}".encode())
        total.update(b"\n\n")
    return total.hexdigest()


def _code(module: str) -> list[tuple[str, str]]:
    """The files that say what a module does, each with a digest of that."""
    files = closure.files(Path(sys.modules[module].__file__ or ""), closure.known_names())
    return list(zip(map(closure.named, files), remembered(code_digest, files), strict=True))


def _as_json(value: Any) -> Any:
    if isinstance(value, Path):
        return value.as_posix()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")
