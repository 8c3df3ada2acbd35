"""`dvc repro` with stages that do not need each other side by side.

`dvc repro` runs one stage at a time. Much of a stage is not parallel (it imports, reads, writes),
and small matrices gain little from a second thread, so two stages of one thread each are done
sooner than one after the other with two.
"""

from __future__ import annotations

import logging
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.locks import alone
from ecqg.parallel.pool import cluster
from ecqg.pipeline.devices import Devices
from ecqg.pipeline.display import Display, last_lines
from ecqg.pipeline.forks import DVC, forked_commands, has_gpu, log_file, peak_file
from ecqg.pipeline.guard import watch
from ecqg.pipeline.rwlock import mend, reading
from ecqg.pipeline.times import add_times
from ecqg.processes import gpus, processors
from ecqg.space import explain_full_disk

REFRESH = 0.5  # seconds
SHOWN = 15  # lines of a failed stage's log
PERIOD = 60.0  # seconds between two times that dvc.lock is written


def default_jobs() -> int:
    """One for each processor, as a stage has one thread, or for each GPU, but two at least."""
    return max(2, len(gpus()) if has_gpu() else processors())


def reproduce_side_by_side(
    targets: Sequence[str], jobs: int, expected: Callable[[str], float] | None = None
) -> bool:
    """Reproduce `targets` (all stages where none is named) with `jobs` stages at a time.

    `expected` says what a stage takes on some machine, for the time that is left on this one.
    Returns whether all ended well; what needs one that failed is not started. What is unchanged is
    not run. Raises InputError for a target that is no stage, a pipeline that DVC cannot read, or
    where another run is at work; KeyboardInterrupt after Ctrl-C or SIGTERM, when the stages have
    ended.
    """
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.logger import set_loggers_level
    from dvc.repo import Repo

    watch()
    cluster()  # so that all stages have the same one
    quiet = set_loggers_level(logging.CRITICAL)  # of what is unchanged, and of bars
    try:
        with quiet, Repo(_wait_for_lock=True) as repo, alone("ecqg repro"):
            mend(repo)
            graph = _graph(repo, targets)
            named = {stage.addressing: 0.0 for stage in graph}
            if expected is not None:
                named = {name: expected(name) for name in named}
            with Display(named, jobs) as display, forked_commands(jobs) as devices:
                return _run(Schedule(graph), jobs, display, devices)
    except LockError as error:
        who, _, _advice = str(error).partition("\n\n")
        raise InputError(who, remedy="wait until that process has ended, or end it") from None
    except DvcException as error:
        raise InputError(str(error), remedy="run 'dvc repro' for details") from None


@contextmanager
def ordered_stages(targets: Sequence[str]) -> Iterator[list[tuple[Any, list[str]]]]:
    """DVC's stages up to `targets` in an order in which they can run, each with those it needs.

    Whether one has changed may be asked while the block lasts. Raises InputError as
    `reproduce_side_by_side`.
    """
    import networkx
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.logger import set_loggers_level
    from dvc.repo import Repo

    try:
        with set_loggers_level(logging.CRITICAL), Repo() as repo, repo.lock:
            graph = _graph(repo, targets)
            order = reversed([*networkx.topological_sort(graph)])
            yield [(stage, [n.addressing for n in graph.successors(stage)]) for stage in order]
    except LockError as error:
        raise InputError(str(error).partition("\n")[0], remedy="wait until it has ended") from None
    except DvcException as error:
        raise InputError(str(error), remedy="run 'dvc status' for details") from None


def _graph(repo: Any, targets: Sequence[str]) -> Any:
    """A networkx.DiGraph of edges from stages to what they need, up to `targets` if any."""
    import networkx
    from dvc.repo.reproduce import collect_stages, get_active_graph

    graph = get_active_graph(repo.index.graph)
    if not targets:
        return graph
    wanted = set(collect_stages(repo, targets))
    return graph.subgraph(wanted.union(*(networkx.descendants(graph, stage) for stage in wanted)))


class Schedule(TopologicalSorter[Any]):
    """Which stage may run next: one whose dependencies are done, and that most wait for."""

    def __init__(self, graph: Any) -> None:
        """`graph` is a networkx.DiGraph, without cycles, of edges from stages to what they need."""
        import networkx

        super().__init__(graph.adj)
        self.prepare()
        self._ready: list[Any] = []
        # How many stages the longest chain has that waits for each, itself included.
        self._chains: dict[Any, int] = {}
        for stage in networkx.topological_sort(graph):
            users = (self._chains[user] for user in graph.predecessors(stage))
            self._chains[stage] = 1 + max(users, default=0)

    def next(self) -> Any | None:
        """A stage to start now, or None until `done` is told of another one."""
        self._ready += self.get_ready()
        stage = max(self._ready, key=self._chains.__getitem__, default=None)
        if stage is not None:
            self._ready.remove(stage)
        return stage


def _run(schedule: Schedule, jobs: int, display: Display, devices: Devices) -> bool:
    """Run what has changed; whether all of it ended well."""
    import psutil

    well, written = True, time.monotonic()
    running: dict[Future[None], Any] = {}
    ran: list[Any] = []  # that dvc.lock does not yet say
    with ThreadPoolExecutor(jobs) as threads:
        try:
            while True:
                while len(running) < jobs and (stage := schedule.next()):
                    with DVC, stage.repo.lock:
                        changed = stage.changed()
                    if changed:
                        display.started(stage.addressing)
                        running[threads.submit(_reproduce_stage, stage)] = stage
                    else:
                        display.skipped(stage.addressing)
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
                if time.monotonic() > written + PERIOD:
                    _write_lock_file(ran)
                    ran.clear()
                    written = time.monotonic()
                display.refresh()
        except KeyboardInterrupt:
            devices.close()
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.NoSuchProcess):  # a terminal tells all; nobody with SIGTERM
                    process.send_signal(signal.SIGINT)
            if display.running:
                display.console.print(f"Stopping {', '.join(display.running)}")
            raise
        finally:
            _write_lock_file(ran)  # while stages end: after Ctrl-C there is little time
            add_times(display.times)


def _reproduce_stage(stage: Any) -> None:
    """Run a stage, in a thread, as `dvc repro --single-item` does, but for dvc.lock."""
    log = log_file(stage.addressing)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")  # nothing of an earlier run
    peak_file(stage.addressing).unlink(missing_ok=True)
    with DVC, stage.repo.lock, reading(stage), stage.repo.scm_context(quiet=True):
        if stage.reproduce() and not stage.cmd:
            stage.dump()  # a .dvc file, which is its own lock file


def _write_lock_file(stages: Sequence[Any]) -> None:
    """Let DVC write what dvc.lock is to say of each dvc.stage.PipelineStage that has run.

    DVC reads and writes the whole file anew for each stage that ends. With 112 stages that takes
    0.8 s, longer than many of them work. A run that is killed before it is written loses no stage
    whose outputs are cached: DVC keeps what it made in its run cache as well, and takes it from
    there instead of running it. Unlike DVC's own, the file is whole at all times.
    """
    from dvc.dvcfile import Lockfile

    for path in {Path(stage.path).with_suffix(".lock") for stage in stages}:
        of_file = [s for s in stages if Path(s.path).with_suffix(".lock") == path]
        repo = of_file[0].repo
        with DVC, repo.lock, atomic(path) as aside:
            if path.exists():
                shutil.copy(path, aside)
            Lockfile(repo, str(aside)).dump_stages(of_file)


def _explain(stage: Any, error: BaseException) -> str:
    """What people are told of a stage that failed. Raises `error` where it is a bug.

    An OSError is of DVC's own work on dependencies and outputs: a folder that is not there.
    """
    from dvc.exceptions import DvcException

    name, log, repo = stage.addressing, log_file(stage.addressing), stage.repo
    if full := explain_full_disk(error, log.parent, repo.cache.local.path, repo.site_cache_dir):
        return f"{name}: {full}"
    if not isinstance(error, DvcException | OSError):
        raise error
    said = last_lines(log, SHOWN)
    return "\n".join([*said, f"{name}: {error}", f"All of its output: {log}"])
