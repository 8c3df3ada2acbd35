"""DVC's lock of the files that stages read and write, .dvc/tmp/rwlock."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any


def mend(repo: Any) -> None:
    """Remove a lock that cannot be read, or that only processes hold which are no more.

    DVC empties the file and writes it anew whenever a stage begins or ends. A process that is
    killed in between leaves it empty, and DVC itself then starts no stage any more. `repo` is an
    open dvc.repo.Repo.
    """
    from dvc import rwlock

    path = Path(repo.tmp_dir, rwlock.RWLOCK_FILE)
    try:
        hard_link = repo.config["core"].get("hardlink_lock", False)
        with rwlock._edit_rwlock(repo.tmp_dir, repo.fs, hard_link) as lock:
            holders = [*lock["write"].values(), *chain.from_iterable(lock["read"].values())]
            if not any(_holds(one, path) for one in holders):
                lock.clear()
    except (rwlock.RWLockFileCorruptedError, rwlock.RWLockFileFormatError):
        path.unlink()  # nobody is about to write it: DVC leaves it as it is


def _holds(holder: dict[str, Any], lock: Path) -> bool:
    """Whether a holder still runs; a process younger than the lock has only got its number.

    DVC asks for the number alone, which after a restart, or in a container, is soon another's.
    """
    import psutil

    try:
        process = psutil.Process(holder["pid"])
        older = process.create_time() <= lock.stat().st_mtime
        return older and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def reading(stage: Any) -> Any:
    """A context that holds what a dvc.stage.Stage reads, in the stage's own name.

    DVC itself does so in this process's name, and so only until the first of the stages that read
    a file at a time has ended. Raises dvc.lock.LockError where another process writes it.
    """
    from dvc.rwlock import rwlock

    repo, name = stage.repo, f"ecqg repro ({stage.addressing})"
    paths = [dependency.fs_path for dependency in stage.deps]
    hard_link = repo.config["core"].get("hardlink_lock", False)
    return rwlock(repo.tmp_dir, repo.fs, name, paths, [], hard_link)
