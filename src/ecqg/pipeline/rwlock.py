"""DVC's lock of files, .dvc/tmp/rwlock, after a process was killed.

DVC empties the file and writes it anew whenever a stage begins or ends. A process that is killed in
between leaves it empty, and DVC itself then starts no stage any more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.files import write_text


def mend(repo: Any) -> None:
    """Remove a lock that cannot be read, and what processes hold that are no more.

    `repo` is an open dvc.repo.Repo. The guard of the file, which every process that edits it holds
    and which the kernel releases at its end, says that nobody is about to write.
    """
    from dvc.lock import make_lock
    from dvc.rwlock import RWLOCK_FILE, RWLOCK_LOCK, SCHEMA
    from voluptuous import Invalid

    if not repo.tmp_dir:
        return
    folder = Path(repo.tmp_dir)
    file = folder / RWLOCK_FILE
    hard_link = repo.config["core"].get("hardlink_lock", False)
    guard = make_lock(
        str(folder / RWLOCK_LOCK), tmp_dir=repo.tmp_dir, hardlink_lock=hard_link, wait=True
    )
    with guard:
        try:
            changed = file.stat().st_mtime
            held = SCHEMA(json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return
        except (ValueError, Invalid):
            file.unlink()
            return
        write = {path: one for path, one in held["write"].items() if _holds(one, changed)}
        read = {
            path: left
            for path, all_ in held["read"].items()
            if (left := [one for one in all_ if _holds(one, changed)])
        }
        if (write, read) != (held["write"], held["read"]):
            write_text(file, json.dumps({"write": write, "read": read}))


def _holds(holder: dict[str, Any], changed: float) -> bool:
    """Whether a holder still runs; a process younger than the lock has only got its number."""
    import psutil

    try:
        process = psutil.Process(holder["pid"])
        return process.create_time() <= changed and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def busy(error: Exception) -> InputError:
    """The one line of a dvc.lock.LockError: which file, and which process holds it."""
    what = " ".join(str(error).partition("\n\n")[0].split())
    return InputError(what, remedy="wait until that process has ended, or end it")
