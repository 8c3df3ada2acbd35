"""`dvc repro` with stages that do not need each other side by side.

`dvc repro` runs one stage at a time. Much of a stage is not parallel (it imports, reads, writes),
and small matrices gain little from a second thread, so two stages of one thread each are done
sooner than one after the other with two.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.locks import alone
from ecqg.pipeline.display import Display
from ecqg.pipeline.forks import has_gpu, worker_context
from ecqg.pipeline.lockfile import LockFiles
from ecqg.pipeline.rwlock import busy, mend
from ecqg.pipeline.schedule import Schedule
from ecqg.pipeline.worker import Outcome, prepare, reproduce
from ecqg.processes import processors

REFRESH = 0.5  # seconds
# A step of training frees hundreds of megabytes that the next one asks for again. By default they
# go back to the kernel, which clears every page of them anew; here glibc keeps them (sizes are in
# bytes), and PyTorch takes them in pages of 2 MiB.
MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": 32 << 20,
    "MALLOC_TRIM_THRESHOLD_": 1 << 30,
    "THP_MEM_ALLOC_ENABLE": 1,
}


def reproduce_side_by_side(targets: Sequence[str], jobs: int) -> list[Outcome]:
    """Reproduce `targets` (all stages where none is named) with `jobs` stages at a time.

    Returns how the stages ended that ran; after one that failed no other is started. What is
    unchanged is not run. Raises InputError for a target that is no stage, a pipeline that DVC
    cannot read, or where another run is at work; KeyboardInterrupt after Ctrl-C or SIGTERM,
    when the stages have ended.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    logging.getLogger("dvc").setLevel(logging.ERROR)  # unchanged stages are many
    try:
        repo = Repo(_wait_for_lock=True)
        with alone("ecqg repro"):
            return _reproduce(repo, targets, jobs)
    except DvcException as error:
        raise InputError(str(error), remedy="run 'dvc repro' for details") from None


def _reproduce(repo: Any, targets: Sequence[str], jobs: int) -> list[Outcome]:
    """With an open dvc.repo.Repo in which no other run of ours is at work."""
    from dvc.lock import LockError

    mend(repo)
    graph = repo.index.graph
    stages = {stage.addressing: stage for stage in graph}
    needs = {name: {s.addressing for s in graph.successors(stages[name])} for name in stages}
    try:
        schedule = Schedule(needs, targets)
    except KeyError as error:
        raise InputError(f"no stage {error}", remedy="see 'dvc stage list'") from None

    def changed(name: str) -> bool:
        try:
            with repo.lock:
                return bool(stages[name].changed())
        except LockError as error:
            raise busy(error) from None

    threads = max(1, processors() // jobs)
    with (
        _interrupts() as interrupted,
        Display(schedule.total) as display,
        LockFiles(repo, stages) as lock_files,
        _environment(threads),
        worker_context() as context,
        ProcessPoolExecutor(jobs, context, initializer=prepare) as workers,
    ):
        return _run(schedule, changed, workers, jobs, display, interrupted, lock_files)


def default_jobs() -> int:
    """One for each processor, as a stage has one thread, but two at least; two with a GPU."""
    return 2 if has_gpu() else max(2, processors())


@contextmanager
def _environment(threads: int) -> Iterator[None]:
    """Environment of the stages, as far as it does not say otherwise; restored at the end.

    Numerical libraries left alone (ecqg.numerics) would start as many threads in every stage as
    there are cores. Stages find this environment's `ecqg` although it may not be active.
    """
    before = dict(os.environ)
    wanted = {"OMP_NUM_THREADS": threads, "ECQG_BARS": "log", **MEMORY}
    os.environ.update({k: str(v) for k, v in wanted.items() if k not in before})
    folders = [str(Path(sys.executable).parent), before.get("PATH", os.defpath)]
    os.environ["PATH"] = os.pathsep.join(folders)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Yield whether somebody wants to stop; KeyboardInterrupt is raised at the end of the block.

    Raised where the signal arrives, it could leave DVC half-way through its files. Only Ctrl-C
    reaches the stages of itself, so the first signal is handed on to them. `ecqg.signals` ends what
    is left a little later, or at the second signal.
    """
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        if not pressed:
            _signal_stages(signal.SIGINT)
        pressed = True

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, note)
    try:
        yield lambda: pressed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if pressed:
        raise KeyboardInterrupt


def _signal_stages(number: int) -> None:
    """Signal all processes below our own children, the workers, which end as their stages do."""
    import psutil

    for worker in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            for process in worker.children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)


def _run(
    schedule: Schedule,
    changed: Callable[[str], bool],
    workers: ProcessPoolExecutor,
    jobs: int,
    display: Display,
    interrupted: Callable[[], bool],
    lock_files: LockFiles,
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    running: dict[Future[Outcome], str] = {}
    failed = told = False
    while running or (schedule and not failed):
        failed = failed or interrupted()
        while len(running) < jobs and not failed and (name := schedule.next()):
            if changed(name):
                display.started(name)
                running[workers.submit(reproduce, name)] = name
            else:
                display.unchanged()
                schedule.done(name)
        lock_files.write_if_due()
        finished, _ = wait(running, timeout=REFRESH, return_when=FIRST_COMPLETED)
        for future in finished:
            outcome = future.result()
            outcomes.append(outcome)
            lock_files.add(outcome)
            display.ended(outcome, stopped=interrupted())
            failed = failed or bool(outcome.problem)
            if not outcome.problem:
                schedule.done(running[future])
            del running[future]
        if interrupted() and running and not told:
            display.stopping()
            lock_files.write()  # there may be no time for it at the end
            told = True
        display.refresh()
    return outcomes
