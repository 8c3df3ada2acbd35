"""Work that one process at a time may do: a lock that ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ecqg.errors import InputError

FOLDER = Path(".cache/ecqg/locks")
PATIENCE = 5.0  # seconds: so long a process that is being ended may still hold it


@contextmanager
def alone(work: str) -> Iterator[None]:
    """Hold the lock of the work of that name, in the current folder's scratch.

    Raises InputError where another process holds it and does not end within PATIENCE.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{work.replace('/', '-')}.lock"
    # Never deleted: who waits for it must wait for the same file.
    with path.open("a+", encoding="ascii") as lock:
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if time.monotonic() > until:
                lock.seek(0)
                raise InputError(
                    f"process {lock.read().strip()} is at work on {work} here",
                    remedy="wait until it has ended, or end it",
                )
            time.sleep(0.1)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield
