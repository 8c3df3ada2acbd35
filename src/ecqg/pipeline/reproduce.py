"""`dvc repro` with stages that do not need each other side by side.

`dvc repro` runs one stage at a time. Much of a stage is not parallel (it imports, reads, writes),
and small matrices gain little from a second thread, so two stages of one thread each are done
sooner than one after the other with two.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from ecqg.errors import InputError
from ecqg.locks import alone
from ecqg.pipeline import lockfile
from ecqg.pipeline.display import Display, last_lines
from ecqg.pipeline.forks import DVC, forked_commands, has_gpu, log_file
from ecqg.pipeline.rwlock import mend, reading
from ecqg.pipeline.schedule import Schedule
from ecqg.processes import processors
from ecqg.space import explain_full_disk

REFRESH = 0.5  # seconds
SHOWN = 15  # lines of a failed stage's log


def default_jobs() -> int:
    """One for each processor, as a stage has one thread, but two at least; two with a GPU."""
    return 2 if has_gpu() else max(2, processors())


def reproduce_side_by_side(targets: Sequence[str], jobs: int) -> bool:
    """Reproduce `targets` (all stages where none is named) with `jobs` stages at a time.

    Returns whether all ended well; what needs one that failed is not started. What is unchanged is
    not run. Raises InputError for a target that is no stage, a pipeline that DVC cannot read, or
    where another run is at work; KeyboardInterrupt after Ctrl-C or SIGTERM, when the stages have
    ended.
    """
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.logger import set_loggers_level
    from dvc.repo import Repo

    quiet = set_loggers_level(logging.CRITICAL)  # of what is unchanged, and of bars
    try:
        with quiet, Repo(_wait_for_lock=True) as repo, alone("ecqg repro"):
            mend(repo)
            return _reproduce(_graph(repo, targets), jobs)
    except LockError as error:
        who, _, _advice = str(error).partition("\n\n")
        raise InputError(who, remedy="wait until that process has ended, or end it") from None
    except DvcException as error:
        raise InputError(str(error), remedy="run 'dvc repro' for details") from None


def _graph(repo: Any, targets: Sequence[str]) -> Any:
    """A networkx.DiGraph of edges from stages to what they need, up to `targets` if any."""
    import networkx
    from dvc.repo.reproduce import collect_stages, get_active_graph

    graph = get_active_graph(repo.index.graph)
    if not targets:
        return graph
    wanted = set(collect_stages(repo, targets))
    return graph.subgraph(wanted.union(*(networkx.descendants(graph, stage) for stage in wanted)))


def _reproduce(graph: Any, jobs: int) -> bool:
    ran: list[Any] = []  # that dvc.lock does not yet say
    with (
        Display(len(graph)) as display,
        forked_commands(jobs),
        ThreadPoolExecutor(jobs) as threads,
    ):
        try:
            return _run(Schedule(graph), threads, jobs, display, ran)
        except KeyboardInterrupt:
            _interrupt_stages()
            if display.running:
                display.console.print(f"Stopping {', '.join(display.running)}")
            raise
        finally:
            lockfile.write(ran)  # while stages end: after Ctrl-C there is little time


def _run(
    schedule: Schedule, threads: Executor, jobs: int, display: Display, ran: list[Any]
) -> bool:
    well, written = True, time.monotonic()
    running: dict[Future[None], Any] = {}
    while True:
        while len(running) < jobs and (stage := schedule.next()):
            with DVC, stage.repo.lock:
                changed = stage.changed()
            if changed:
                display.started(stage.addressing)
                running[threads.submit(_reproduce_stage, stage)] = stage
            else:
                display.done += 1
                schedule.done(stage)
        if not running:
            return well
        for future in wait(running, REFRESH, FIRST_COMPLETED).done:
            stage = running.pop(future)
            if error := future.exception():
                well = False
                display.ended(stage.addressing, _explain(stage, error))
            else:
                display.ended(stage.addressing)
                schedule.done(stage)
                ran += [stage] if stage.cmd else []
        if time.monotonic() > written + lockfile.PERIOD:
            lockfile.write(ran)
            ran.clear()
            written = time.monotonic()
        display.refresh()


def _reproduce_stage(stage: Any) -> None:
    """Run a stage, in a thread, as `dvc repro --single-item` does, but for dvc.lock."""
    log = log_file(stage.addressing)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")  # nothing of an earlier run
    with DVC, stage.repo.lock, reading(stage), stage.repo.scm_context(quiet=True):
        if stage.reproduce() and not stage.cmd:
            stage.dump()  # a .dvc file, which is its own lock file


def _explain(stage: Any, error: BaseException) -> str:
    """What people are told of a stage that failed. Raises `error` where it is a bug."""
    from dvc.exceptions import DvcException

    name, log, repo = stage.addressing, log_file(stage.addressing), stage.repo
    if full := explain_full_disk(error, log.parent, repo.cache.local.path, repo.site_cache_dir):
        return f"{name}: {full}"
    if not isinstance(error, DvcException):
        raise error
    said = last_lines(log, SHOWN)
    return "\n".join([*said, f"{name}: {error}", f"All of its output: {log}"])


def _interrupt_stages() -> None:
    """Pass Ctrl-C on to all processes below; a terminal has done so, but nobody with SIGTERM."""
    import psutil

    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGINT)
