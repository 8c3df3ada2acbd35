"""`dvc repro` with stages that do not need each other side by side.

`dvc repro` runs one stage at a time. Much of a stage is not parallel (it imports, reads, writes),
and small matrices gain little from a second thread, so two stages of one thread each are done
sooner than one after the other with two. Results differ from those of another number of threads
by rounding.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path

from ecqg.errors import InputError
from ecqg.pipeline.display import Display
from ecqg.pipeline.lockfile import LockFiles
from ecqg.pipeline.preloaded import preloaded
from ecqg.pipeline.schedule import Schedule
from ecqg.pipeline.worker import Outcome, prepare, reproduce

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
    cannot read, or files that another run works on; KeyboardInterrupt after Ctrl-C or SIGTERM,
    when the stages have ended.
    """
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.repo import Repo

    logging.getLogger("dvc").setLevel(logging.ERROR)  # unchanged stages are many
    try:
        repo = Repo(_wait_for_lock=True)
        graph = repo.index.graph
    except DvcException as error:
        raise InputError(str(error), remedy="run 'dvc repro' for details") from None
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
            what = " ".join(str(error).partition("\n\n")[0].split())
            remedy = "wait until it has ended; if it was killed, delete .dvc/tmp/rwlock"
            raise InputError(what, remedy=remedy) from None

    threads = max(1, (os.cpu_count() or 1) // jobs)
    with (
        _interrupts() as interrupted,
        Display(schedule.total) as display,
        LockFiles(repo, stages) as lock_files,
        _environment(threads),
        preloaded() as address,
        ProcessPoolExecutor(
            jobs,
            multiprocessing.get_context("spawn"),
            initializer=prepare,
            initargs=(address,),
        ) as workers,
    ):
        return _run(schedule, changed, workers, jobs, display, interrupted, lock_files)


@contextmanager
def _environment(threads: int) -> Iterator[None]:
    """Environment of the stages, as far as it does not say otherwise; restored at the end.

    Numerical libraries would start as many threads in every stage as there are cores. Stages find
    this environment's `ecqg` although it may not be active.
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
    """Yield whether Ctrl-C was pressed; it is raised at the end of the block.

    Raised where it arrives, it could leave DVC half-way through its files. A SIGTERM, as `kill`
    and schedulers of clusters send it, does the same; unlike Ctrl-C it does not reach the stages
    of itself, which would go on and write beside those of the next run. Neither does a SIGINT that
    is sent to this process alone: the second signal kills the stages that are left.
    """
    pressed = False

    def note(number: int, _: object) -> None:
        nonlocal pressed
        if pressed:
            _signal_stages(signal.SIGKILL)
        elif number == signal.SIGTERM:
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
            told = True
        display.refresh()
    return outcomes
