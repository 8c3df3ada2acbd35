"""Work in processes of one thread each, whose results come in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

AHEAD = 4  # items for each process that are given out before their turn; a stream may be endless

T = TypeVar("T")
R = TypeVar("R")


def in_processes(
    work: Callable[[T], R], items: Iterable[T], workers: int | None = None
) -> Iterator[R]:
    """Yield `work(item)` of each item, in order, computed by `workers` processes.

    By default they are as many as there are processors. Work and items must be picklable. What
    `work` raises is raised here.
    """
    workers = workers or processors()
    pending: deque[Future[R]] = deque()
    # Spawned, not forked: forking is unsafe where threads run, and BLAS, on its first import,
    # must find that it is to use one thread.
    with ProcessPoolExecutor(workers, get_context("spawn"), _one_thread) as pool:
        for item in items:
            pending.append(pool.submit(work, item))
            if len(pending) > AHEAD * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def in_blocks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of `size` items, the last one of those that are left."""
    rest = iter(items)
    return iter(lambda: list(islice(rest, size)), [])


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _one_thread() -> None:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
