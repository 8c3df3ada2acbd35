"""One stage in a process of its own, by DVC; all that it prints goes to a log file."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

LOGS = Path(".cache/ecqg/logs")


@dataclass(frozen=True)
class Outcome:
    """How a stage ended; an empty `problem` means well."""

    name: str
    seconds: float
    problem: str = ""


def log_file(name: str) -> Path:
    """Where the output of a stage goes; its earlier one is overwritten."""
    return LOGS / f"{name}.log"


def prepare(threads: int) -> None:
    """Settings for the stages of this worker process.

    Numerical libraries would otherwise start as many threads in every stage as there are cores.
    Ctrl-C is for the stage, which gets it too, and for the process that started this one; a
    handler, unlike ignoring, is not inherited by the stage.
    """
    signal.signal(signal.SIGINT, lambda *_: None)
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    os.environ["ECQG_BARS"] = "log"


def reproduce(name: str) -> Outcome:
    """Run a stage where it changed, as `dvc repro --single-item` does.

    DVC's locks keep workers from each other's files: it holds the repository only before and
    after a stage's command.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    begin = time.monotonic()
    problem = ""
    path = log_file(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as log:
        saved = [os.dup(1), os.dup(2)]
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            with Repo(_wait_for_lock=True) as repo:
                repo.reproduce(targets=[name], single_item=True)
        except DvcException as error:
            problem = str(error.__cause__ or error)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for descriptor, copy in zip((1, 2), saved, strict=True):
                os.dup2(copy, descriptor)
                os.close(copy)
    return Outcome(name, time.monotonic() - begin, problem)
