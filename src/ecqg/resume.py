"""What a stage that was stopped leaves for its next start, outside of what DVC tracks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from ecqg import numerics
from ecqg.digests import content_digest, remembered
from ecqg.files import remove
from ecqg.libraries import versions
from ecqg.locks import alone
from ecqg.source import code_digest

FOLDER = Path(".cache/ecqg/resume")
PACKAGE = Path(__file__).parent
LARGE = 2**20  # bytes: about a millisecond to read, which need not be saved


@contextmanager
def resumable(stage: str, inputs: Iterable[Path], *settings: Any) -> Iterator[Path]:
    """Yield a folder that is still as it was left when the same work starts again.

    The work is the same where the stage's name, the bytes of all `inputs` (files or folders), the
    `settings` (JSON values or dataclasses of them), the code of this package (but not its comments
    and docstrings), the versions of its libraries and how they compute (`ecqg.numerics`) are: then
    a stage that was killed finds what it had written. Other folders of the stage are removed, and
    this one is too when the block ends without an exception: what raises one (a device that is
    short of memory or misspelt, another input) may be mended without making this work another.
    Whole files only belong there (`ecqg.files.atomic`). One process at a time has it
    (`ecqg.locks.alone`). Raises InputError where another one does the same stage's work,
    FileNotFoundError for an input that is not there, TypeError for settings that are no JSON,
    PackageNotFoundError where this package is not installed.
    """
    folder = FOLDER / stage / digest(inputs, _code(), versions(), numerics.mode(), *settings)
    with alone(stage):
        if folder.parent.is_dir():
            for other in folder.parent.iterdir():
                if other != folder:
                    remove(other)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        remove(folder.parent)


def digest(inputs: Iterable[Path], *settings: Any) -> str:
    """32 hexadecimal digits of the contents of files and folders, and of settings.

    What `ecqg.digests.remembered` holds of large files is relied on.
    """
    total = hashlib.blake2b(digest_size=16)
    total.update(json.dumps(settings, sort_keys=True, default=_as_json).encode())
    for path in inputs:
        files = _files(path)
        digests = remembered(content_digest, files, smallest=LARGE)
        for file, found in zip(files, digests, strict=True):
            name = file.relative_to(path).as_posix() if path.is_dir() else ""
            total.update(f"\n{name}\n{found}".encode())
        total.update(b"\n\n")
    return total.hexdigest()


def _code() -> list[tuple[str, str]]:
    """The package's modules, each with a digest of what it does."""
    modules = [file for file in _files(PACKAGE) if file.suffix == ".py"]
    names = [file.relative_to(PACKAGE).as_posix() for file in modules]
    return list(zip(names, remembered(code_digest, modules), strict=True))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    # Other processes that import this package write there, and rename, at any time.
    compiled = "__pycache__"
    return sorted(p for p in path.rglob("*") if compiled not in p.parts and p.is_file())


def _as_json(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Path):
        return value.as_posix()
    raise TypeError(f"{type(value).__name__} is no JSON")
