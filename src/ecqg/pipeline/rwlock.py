"""DVC's lock of files, .dvc/tmp/rwlock, after a process was killed.

DVC empties the file and writes it anew whenever a stage begins or ends. A process that is killed in
between leaves it empty, and DVC itself then starts no stage any more.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from ecqg.errors import InputError


def mend(repo: Any) -> None:
    """Remove a lock that cannot be read, or that only processes hold which are no more.

    `repo` is an open dvc.repo.Repo, in which no other process is about to mend. Raises
    dvc.lock.LockError where another one edits the lock for seconds.
    """
    from dvc import rwlock

    path = Path(repo.tmp_dir, rwlock.RWLOCK_FILE)
    hard_link = repo.config["core"].get("hardlink_lock", False)
    try:
        with rwlock._edit_rwlock(repo.tmp_dir, repo.fs, hard_link) as lock:
            holders = [*lock["write"].values(), *chain.from_iterable(lock["read"].values())]
            if not any(_holds(one, path) for one in holders):
                lock.clear()
    except (rwlock.RWLockFileCorruptedError, rwlock.RWLockFileFormatError):
        path.unlink()  # nobody was about to write it, and DVC leaves it as it is


def _holds(holder: dict[str, Any], lock: Path) -> bool:
    """Whether a holder still runs; a process younger than the lock has only got its number.

    DVC takes any process of that number for the holder. After a restart, or in a container, there
    soon is one.
    """
    import psutil

    try:
        process = psutil.Process(holder["pid"])
        started = process.create_time()
        return started <= lock.stat().st_mtime and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def busy(error: Exception) -> InputError:
    """The one line of a dvc.lock.LockError: which file, and which process holds it."""
    what = str(error).partition("\n\n")[0]  # what follows is advice
    return InputError(what, remedy="wait until that process has ended, or end it")
