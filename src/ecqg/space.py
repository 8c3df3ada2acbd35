"""Disks that are full: one line instead of an error's many, and room before a file is mapped."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ecqg.errors import InputError

if TYPE_CHECKING:
    import numpy as np

FULL = (errno.ENOSPC, errno.EDQUOT)
# How libraries that raise errors of their own say it: safetensors, SQLite, FAISS, Java.
SAID = (*map(os.strerror, FULL), "disk is full", "disk full")
PLACES = (Path(), Path(".cache/ecqg"), Path(".dvc/cache"), Path(".dvc/tmp"))


def explain_full_disk(error: BaseException, *places: str | Path) -> InputError | None:
    """What to say where `error`, or one behind it, is that of a full disk; None for any other.

    The folder is that of the file that the error names; else, of `places`, PLACES and the folder of
    temporary files, the one whose disk has least left.
    """
    chain: BaseException | None = error
    while chain is not None and not is_full(chain):
        chain = chain.__cause__ or chain.__context__
    if chain is None:
        return None
    named = getattr(chain, "filename", None)
    if named:
        return no_room(Path(os.fsdecode(named)).parent)
    return no_room(min(map(Path, (*places, *PLACES, tempfile.gettempdir())), key=room))


def no_room(folder: Path, needed: int = 0) -> InputError:
    """The line; `needed` bytes where it is known."""
    from rich.filesize import decimal

    wanted = f"{decimal(needed)} are needed, " if needed else ""
    return InputError(
        f"the disk is full ({wanted}{decimal(room(folder))} are free)",
        file=folder,
        remedy="make room and start again, which resumes the work",
    )


def is_full(error: BaseException) -> bool:
    """Whether the error itself says that a disk, or a quota of it, is full."""
    if isinstance(error, OSError) and error.errno in FULL:
        return True
    return any(words in str(error) for words in SAID)


def room(folder: Path) -> int:
    """Bytes that may be written to the disk of a folder, or of the nearest above that exists."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def allocate(file: IO[bytes], size: int, folder: Path) -> None:
    """Give a file its place on the disk of `folder`, `size` bytes, of which missing ones are 0.

    To write to a part of a memory map that has none ends a process by a bus error. Raises
    InputError, with the folder and the size, where the disk is too full.
    """
    try:
        if hasattr(os, "posix_fallocate"):  # not on macOS
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)
    except OSError as error:
        if error.errno not in FULL:
            raise
        file.truncate(0)
        raise no_room(folder, size) from None


def zeros(file: IO[bytes], dtype: Any, shape: tuple[int, ...], folder: Path) -> np.memmap[Any, Any]:
    """A memory map of an empty file in `folder`, to be written to; it is not empty.

    Raises InputError as `allocate` does.
    """
    import numpy as np  # not for all who ask whether a disk is full

    allocate(file, int(np.prod(shape)) * np.dtype(dtype).itemsize, folder)
    return np.memmap(file, dtype, "r+", shape=shape)
