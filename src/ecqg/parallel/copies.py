"""What a driver's files are on another machine: they themselves on a shared disk, else copies.

A copy serves all workers of a machine. Each holds a lock on it for as long as it lives, shared with
the others; who has the lock alone makes the copy, or removes it. So the last worker removes it or,
where all were killed, whoever comes next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tarfile import TarFile

from ecqg.errors import InputError
from ecqg.resume import digest

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


def pack(path: Path) -> bytes:
    """A file or folder as a tar archive of one entry, with what links lead to."""
    out = BytesIO()
    with TarFile(fileobj=out, mode="w", dereference=True) as tar:
        tar.add(path.resolve(), arcname=path.name)
    return out.getvalue()


class Copies:
    """A worker's."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.gettempdir(), f"ecqg-copies-{os.getuid()}")  # this user's
        self._held: dict[str, int] = {}  # open lock files by the name of the copy

    def take(self, of_driver: str, packed: Callable[[], bytes]) -> Path:
        """The copy of what was in that state, made from what `packed` gives if it is not here.

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

    def _make(self, folder: Path, packed: bytes) -> None:
        aside = folder.with_suffix(".part")
        shutil.rmtree(aside, ignore_errors=True)
        try:
            with TarFile(fileobj=BytesIO(packed)) as tar:
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
