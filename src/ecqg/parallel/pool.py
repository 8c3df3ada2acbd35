"""Run a task over blocks; results come in order.

Here by default; by processes of this machine where more than one processor is granted; by actors of
a Ray cluster where one is named, or where this machine is a node of one. This process alone hands
out blocks and takes results, so that what a stage writes does not depend on who did the work.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Generic, TypeVar

from ecqg.parallel.task import ATTEMPTS, Task, give_up, wants_gpu
from ecqg.processes import VISIBLE, begin, gpus, threads

T = TypeVar("T")
R = TypeVar("R")
CLUSTER = "RAY_ADDRESS"
AHEAD = 4  # blocks for each process that are given out before their turn
ANSWER = 1.0  # seconds that a cluster that was found has to answer
FIRST = 3.0  # seconds that are worked here before processes are started, which takes some
_doing: Callable[[Any], Any] | None = None  # a worker's


def run(
    task: Task[T, R],
    blocks: Iterable[T],
    workers: int | None = None,
    *,
    here: Callable[[T], R] | None = None,
    first: float | None = None,
) -> Iterator[R]:
    """Yield the result of each block, in order.

    By `workers` processes: by default one for each GPU where the task uses one, else as many as
    ECQG_THREADS or the processors allow, of one thread each. This one is one of them, and calls
    `here` where it has loaded its models already; no other is started for what is done within
    `first` seconds, by default FIRST. With `first` 0 all are others.
    On a cluster this one does nothing but what is done within `first` seconds, by default none.
    Raises what the task raises; InputError where workers are lost again and again, or the cluster
    is.
    """
    if cluster():
        return _run(task, blocks, 0, here, first or 0)
    first = FIRST if first is None else first
    return _run(task, blocks, workers or len(_devices(task)), here, first)


def cluster() -> str:
    """The address of the Ray cluster to use, empty where there is none.

    It is what RAY_ADDRESS says or, where that is not set, `auto` for the cluster that this user had
    this machine start or join (`ray start`), which is told once; processes that come of this one
    take it, too. An empty RAY_ADDRESS means none.
    """
    if CLUSTER not in os.environ:
        found = _joined()
        # Not the address: Ray shows its token only to a cluster that it finds itself.
        os.environ[CLUSTER] = "auto" if found else ""
        if found:
            told = f"using the Ray cluster at {found}, which this machine is a node of"
            print(f"{told}; RAY_ADDRESS= does without", file=sys.stderr)
    return os.environ[CLUSTER]


def _joined() -> str:
    """Where Ray notes the address, it is this user's, the head answers, and Ray is installed."""
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    file = Path(folder, "ray", "ray_current_cluster")
    try:
        if file.lstat().st_uid != os.getuid():
            return ""
        address = file.read_text(encoding="utf-8").strip()
        host, _, port = address.rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
    except (OSError, ValueError):
        return ""
    return address if find_spec("ray") else ""


def alone(task: type[Task[Any, Any]]) -> bool:
    """Whether this process does all blocks of such a task itself."""
    return not cluster() and len(_devices(task)) == 1


def _devices(task: Task[Any, Any] | type[Task[Any, Any]]) -> list[str]:
    """What each process of this machine has to itself: a GPU's name, or a processor without one."""
    return (gpus() if wants_gpu(task) else []) or [""] * threads()


def _run(
    task: Task[T, R],
    blocks: Iterable[T],
    workers: int,
    here: Callable[[T], R] | None,
    first: float,
) -> Iterator[R]:
    """As `run`; without `workers` on the cluster."""
    rest, do = iter(blocks), None
    if workers == 1 or first:
        do, until = here or task.start(), time.monotonic() + first
        for block in rest:
            yield do(block)
            if workers != 1 and time.monotonic() > until:
                break
    if (following := next(rest, _NOTHING)) is _NOTHING:
        return
    left = chain([following], rest)
    if workers:
        yield from _in_processes(task, left, workers, do)
    else:
        from ecqg.parallel.cluster import run_on_cluster

        yield from run_on_cluster(task, left)


_NOTHING: Any = object()


@dataclass
class _Given(Generic[T, R]):
    """A block that was given out, and its result."""

    block: T
    future: Future[R] = field(default_factory=Future)

    def has_result(self) -> bool:
        """Also where that is an error of the task's, which is raised in its turn."""
        if not self.future.done() or self.future.cancelled():
            return False
        return not isinstance(self.future.exception(), BrokenProcessPool)

    def take(self, do: Callable[[T], R]) -> None:
        """Have this process do it."""
        try:
            self.future.set_result(do(self.block))
        except Exception as error:
            self.future.set_exception(error)


def _in_processes(
    task: Task[T, R], blocks: Iterable[T], workers: int, here: Callable[[T], R] | None
) -> Iterator[R]:
    """By `workers`: this process, where it has `here` what it takes, and a pool of the others.

    This one goes on while others start, and does a block where the next result is not there yet. A
    pool whose processes are lost is made anew, and what they had is done again: by one process, so
    that it is known which block kills it.
    """
    rest, lost = iter(blocks), 0
    given: deque[_Given[T, R]] = deque()  # whose results were not taken yet
    while True:
        again = lost > 0
        do = None if again else here
        others = workers - (here is not None)
        size = 1 if again else others
        context = get_context("spawn")
        devices = context.SimpleQueue()
        for name in (_devices(task) * workers)[workers - others :][:size]:
            devices.put(name)
        pool = ProcessPoolExecutor(size, context, _begin, (task, devices))
        try:
            started = pool.submit(_start)
            for one in given:
                if not one.has_result():
                    one.future = pool.submit(_do, one.block)
            while True:
                while given and given[0].has_result():
                    yield given.popleft().future.result()
                    lost = 0
                ahead = AHEAD * others if here is None or started.done() else 0
                waiting = sum(not one.future.done() for one in given)
                for block in () if again else islice(rest, max(0, ahead - waiting)):
                    given.append(_Given(block))
                    given[-1].future = pool.submit(_do, block)
                room = len(given) < AHEAD * workers * 2
                own = [*islice(rest, 1)] if do and room else []
                if do and own:
                    given.append(_Given(own[0]))
                    given[-1].take(do)
                elif given:
                    given[0].future.result()
                else:
                    break
            if not again:
                return
        except BrokenProcessPool as error:
            lost += 1
            if lost == ATTEMPTS:
                raise give_up(task, given[0].block, str(error)) from None
        finally:
            for process in list((pool._processes or {}).values()):
                with suppress(Exception):
                    process.kill()
            pool.shutdown(wait=True, cancel_futures=True)


def _begin(task: Task[T, R], devices: Any) -> None:
    global _doing
    begin()
    if name := devices.get():
        os.environ[VISIBLE] = name
    _doing = task.start()


def _start() -> None:
    """Done when a process has begun."""


def _do(block: Any) -> Any:
    assert _doing is not None
    return _doing(block)
