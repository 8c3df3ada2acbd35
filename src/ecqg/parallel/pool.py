"""Run a task over blocks; results come in order.

Here by default; by processes of this machine where more than one processor is granted; by actors of
a Ray cluster where one is named. This process alone hands out blocks and takes results, so that
what a stage writes does not depend on who did the work.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain
from multiprocessing import get_context
from typing import Any, TypeVar

from ecqg.parallel.task import ATTEMPTS, Task, give_up
from ecqg.processes import VISIBLE, begin, gpus, threads

T = TypeVar("T")
R = TypeVar("R")
CLUSTER = "RAY_ADDRESS"
AHEAD = 4  # blocks for each process that are given out before their turn
FIRST = 10.0  # seconds that are worked here before processes are started, which takes some
_doing: Callable[[Any], Any] | None = None  # a worker's


def run(
    task: Task[T, R],
    blocks: Iterable[T],
    workers: int | None = None,
    *,
    here: Callable[[T], R] | None = None,
    first: float = FIRST,
) -> Iterator[R]:
    """Yield the result of each block, in order.

    By `workers` processes: by default one for each GPU where the task uses one, else as many as
    ECQG_THREADS or the processors allow, of one thread each. None is started for what is done
    within `first` seconds by this one, which calls `here` where it has loaded its models already.
    Raises what the task raises; InputError where workers are lost again and again, or the cluster
    is.
    """
    if os.environ.get(CLUSTER):
        from ecqg.parallel.cluster import run_on_cluster

        return run_on_cluster(task, blocks)
    return _run_here(task, blocks, workers or len(_devices(task)), here, first)


def alone(task: type[Task[Any, Any]]) -> bool:
    """Whether this process does all blocks of such a task itself."""
    return not os.environ.get(CLUSTER) and len(_devices(task)) == 1


def _devices(task: Task[Any, Any] | type[Task[Any, Any]]) -> list[str]:
    """What each process of this machine has to itself: a GPU's name, or a processor without one."""
    on_cpu = not task.device or os.environ.get("ECQG_DEVICE", "").startswith("cpu")
    return ([] if on_cpu else gpus()) or [""] * threads()


def _run_here(
    task: Task[T, R],
    blocks: Iterable[T],
    workers: int,
    here: Callable[[T], R] | None,
    first: float,
) -> Iterator[R]:
    rest = iter(blocks)
    if workers == 1 or first:
        do, until = here or task.start(), time.monotonic() + first
        for block in rest:
            yield do(block)
            if workers > 1 and time.monotonic() > until:
                break
        del do
    following = next(rest, _NOTHING)
    if following is not _NOTHING:
        yield from _in_processes(task, chain([following], rest), workers)


_NOTHING: Any = object()


def _in_processes(task: Task[T, R], blocks: Iterable[T], workers: int) -> Iterator[R]:
    """A pool whose processes are lost is made anew, and what they had is done again.

    That by one process, so that it is known which block kills it.
    """
    rest, lost = iter(blocks), 0
    waiting: deque[T] = deque()  # given out, no result yet
    while True:
        again = lost > 0
        size = 1 if again else workers
        context = get_context("spawn")
        devices = context.SimpleQueue()
        for name in (_devices(task) * size)[:size]:
            devices.put(name)
        pool = ProcessPoolExecutor(size, context, _begin, (task, devices))
        given: deque[Future[R]] = deque()
        try:
            given.extend(pool.submit(_do, block) for block in waiting)
            while True:
                while not again and len(given) < AHEAD * workers:
                    block = next(rest, _NOTHING)
                    if block is _NOTHING:
                        break
                    waiting.append(block)
                    given.append(pool.submit(_do, block))
                if not given:
                    break
                yield given.popleft().result()
                waiting.popleft()
                lost = 0
            if not again:
                return
        except BrokenProcessPool as error:
            lost += 1
            if lost == ATTEMPTS:
                raise give_up(task, waiting[0], str(error)) from None
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


def _do(block: Any) -> Any:
    assert _doing is not None
    return _doing(block)
