"""What a driver's files are on another machine: they themselves on a shared disk, else copies.

A copy serves all workers of a machine. Each holds a lock on it for as long as it lives, shared with
the others; who has the lock alone makes the copy, or removes it. So the last worker removes it or,
where all were killed, whoever comes next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable
from io import RawIOBase
from pathlib import Path
from typing import Any, Generic, TypeVar

from ecqg.errors import InputError
from ecqg.resume import digest

T = TypeVar("T")
PART = 1 << 27  # bytes
BLOCK = 1 << 16  # bytes that are read at once
PAUSE = 0.05  # seconds, while others have the lock or give it back


def state(path: Path) -> str:
    """32 digits of the names, sizes and times of change of a file, or of those of a folder.

    They tell the same file on a shared disk from another one at the same place.
    """
    files = sorted(p for p in (path.rglob("*") if path.is_dir() else [path]) if p.is_file())
    found = [(str(p.relative_to(path)), p.stat().st_size, p.stat().st_mtime_ns) for p in files]
    return digest([], path.name, found)


def sees(path: Path, of_driver: str) -> bool:
    """Whether a file or folder is here what it is where `state` said so."""
    return path.exists() and state(path) == of_driver


def pack(path: Path, put: Callable[[bytes], T], size: int = PART) -> list[T]:
    """A file or folder as a tar archive of one entry, with what links lead to; in parts.

    Memory holds one part of `size` bytes at a time: `put` takes it elsewhere, and says where to.
    """
    parts = _Parts(put, size)
    with tarfile.open(fileobj=parts, mode="w|", dereference=True) as tar:
        tar.add(path.resolve(), arcname=path.name)
    return parts.end()


class _Parts(RawIOBase, Generic[T]):
    """What is written, in parts."""

    def __init__(self, put: Callable[[bytes], T], size: int) -> None:
        self._put, self._size, self._held = put, size, bytearray()
        self._found: list[T] = []

    def write(self, data: Any) -> int:
        self._held += data
        if len(self._held) >= self._size:
            self._found.append(self._put(bytes(self._held)))
            self._held.clear()
        return len(data)

    def end(self) -> list[T]:
        return [*self._found, self._put(bytes(self._held))]


class _Joined(RawIOBase):
    """Parts, to be read."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._parts, self._rest = iter(parts), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or memoryview(next(self._parts, b""))
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


class Copies:
    """A worker's."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.gettempdir(), f"ecqg-copies-{os.getuid()}")  # this user's
        self._held: dict[str, int] = {}  # open lock files by the name of the copy

    def take(self, of_driver: str, packed: Callable[[], Iterable[bytes]]) -> Path:
        """The copy of what was in that state, made from the parts of `pack` if it is not here.

        Those that nobody has are removed first. Raises InputError where the folder of copies is
        somebody else's.
        """
        self.folder.mkdir(mode=0o700, exist_ok=True)
        if self.folder.is_symlink() or self.folder.stat().st_uid != os.getuid():
            what, remedy = "not this user's own folder", "set TMPDIR to another one"
            raise InputError(what, file=self.folder, remedy=remedy)
        for lock in self.folder.glob("*.lock"):
            if lock.stem != of_driver and lock.stem not in self._held:
                self._remove(lock.stem, os.open(lock, os.O_RDWR | os.O_CREAT))
        folder, lock = self.folder / of_driver, self._lock(of_driver)
        while True:
            file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(file, fcntl.LOCK_SH)  # waits for one that makes it
            if folder.exists() and _is(file, lock):
                self._held[of_driver] = file
                (copy,) = folder.iterdir()
                return copy
            try:
                if _alone(file) and _is(file, lock):
                    self._make(folder, packed())
            finally:
                os.close(file)
            time.sleep(PAUSE)

    def leave(self) -> None:
        """Remove those that nobody else has."""
        while self._held:
            name, file = self._held.popitem()
            self._remove(name, file)

    def _lock(self, name: str) -> Path:
        return self.folder / f"{name}.lock"

    def _make(self, folder: Path, packed: Iterable[bytes]) -> None:
        aside = folder.with_suffix(".part")
        shutil.rmtree(aside, ignore_errors=True)
        try:
            with tarfile.open(fileobj=_Joined(packed), mode="r|", bufsize=BLOCK) as tar:
                # The driver made it. Python 3.11 has `filter` since its fourth release only.
                tar.extractall(aside)
            aside.rename(folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _remove(self, name: str, file: int) -> None:
        """Remove a copy unless others have it, and close its lock."""
        lock = self._lock(name)
        if _alone(file) and _is(file, lock):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            shutil.rmtree(self.folder / f"{name}.part", ignore_errors=True)
            lock.unlink()
        os.close(file)


def _alone(file: int) -> bool:
    """Whether this process has the lock alone now; where it has not, it may have none."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is(file: int, lock: Path) -> bool:
    """Whether a lock that was opened is still the one of that name, and not removed since."""
    try:
        return os.path.samestat(os.fstat(file), lock.stat())
    except FileNotFoundError:
        return False
