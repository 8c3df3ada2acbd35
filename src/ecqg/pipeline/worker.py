"""One stage in a process of its own, by DVC; all that it prints goes to a log file."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ecqg.pipeline.forks import fork_stages, may_fork
from ecqg.pipeline.rwlock import busy
from ecqg.signals import end_with_parent
from ecqg.space import explain_full_disk

LOGS = Path(".cache/ecqg/logs")


@dataclass(frozen=True)
class Outcome:
    """How a stage ended; an empty `problem` means well.

    `entry` is what dvc.lock is to say of it, empty where it did not run.
    """

    name: str
    seconds: float
    problem: str = ""
    explained: bool = False  # whether `problem` says all that there is to say
    entry: dict[str, Any] = field(default_factory=dict)


def log_file(name: str) -> Path:
    """Where the output of a stage goes; its earlier one is overwritten."""
    return LOGS / f"{name}.log"


def prepare() -> None:
    """Settings of this worker process.

    Ctrl-C is for the stage, which gets it too, and for the process that started this one; a
    handler, unlike ignoring, is not inherited by the stage.
    """
    signal.signal(signal.SIGINT, lambda *_: None)
    end_with_parent()
    if may_fork():
        fork_stages()


def reproduce(name: str) -> Outcome:
    """Run a stage where it changed, as `dvc repro --single-item` does, but for dvc.lock.

    DVC's locks keep workers from each other's files: it holds the repository only before and
    after a stage's command.
    """
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.repo import lock_repo
    from dvc.stage.serialize import to_lockfile

    begin = time.monotonic()
    entry: dict[str, Any] = {}
    problem, explained = "", False
    with _output_to(log_file(name)):
        try:
            repo, stages = _pipeline()
            with lock_repo(repo), repo.scm_context(quiet=True):
                if stages[name].reproduce():
                    entry = to_lockfile(stages[name])
        except LockError as error:
            problem, explained = str(busy(error)), True
        except Exception as error:
            if full := explain_full_disk(error, LOGS, *_caches()):
                problem, explained = str(full), True
            elif isinstance(error, DvcException):
                problem = str(error)
            else:
                raise
    return Outcome(name, time.monotonic() - begin, problem, explained, entry)


@cache
def _pipeline() -> tuple[Any, dict[str, Any]]:
    """The repository and its stages by address; to read them takes a second, so it is done once."""
    from dvc.repo import Repo

    repo = Repo(_wait_for_lock=True)
    return repo, {stage.addressing: stage for stage in repo.index.stages}


def _caches() -> list[str]:
    """Where DVC writes."""
    repo, _ = _pipeline()
    return [path for path in (repo.cache.local.path, repo.site_cache_dir) if path]


@contextmanager
def _output_to(path: Path) -> Iterator[None]:
    """Send to a file what this process and those that it starts print."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as log:
        saved = [os.dup(1), os.dup(2)]
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for descriptor, copy in zip((1, 2), saved, strict=True):
                os.dup2(copy, descriptor)
                os.close(copy)
