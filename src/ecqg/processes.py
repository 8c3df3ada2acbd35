"""What a process may use: processors, GPUs, threads; work in threads, results in order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TypeVar

from ecqg.errors import InputError
from ecqg.signals import end_with_parent

PROCESSES = "ECQG_PROCESSES"
THREADS = "ECQG_THREADS"
VISIBLE = "CUDA_VISIBLE_DEVICES"
TOGETHER = ("finetune", "pretrain")  # stages that several processes can do together
# Whose maps are by models, each process with one of its own (ecqg.parallel).
SPREAD = ("attention", "encode", "entity-attention", "entity-scores", "generate", "read", "score")
STARTERS = {"SLURM_STEP_NUM_TASKS": "srun", "OMPI_COMM_WORLD_SIZE": "mpirun"}  # by what they set

T = TypeVar("T")
R = TypeVar("R")


def in_threads(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Yield `work(item)` of each item, in order, by threads: work mostly without Python's lock.

    One result for each of the `workers` is held at most, and one more. What `work` raises is raised
    here.
    """
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[Future[R]] = deque()
        try:
            for item in items:
                pending.append(pool.submit(work, item))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:  # who takes no more results waits for none but those begun
                future.cancel()


def in_blocks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of `size` items, the last one of those that are left."""
    rest = iter(items)
    return iter(lambda: list(islice(rest, size)), [])


def refuse_copies() -> None:
    """Raise InputError in one of several copies of a command, which would write the same files.

    torchrun's processes are no copies: they know of each other.
    """
    for variable, starter in STARTERS.items():
        copies = os.environ.get(variable, "1")
        if copies.isdecimal() and int(copies) > 1 and "TORCHELASTIC_RUN_ID" not in os.environ:
            raise InputError(
                f"{starter} started {copies} copies of this command, which would write the same "
                "files",
                remedy="start one a node; ECQG_PROCESSES=N trains with N processes",
            )


def wanted_processes() -> int:
    """ECQG_PROCESSES, by how many processes a stage of TOGETHER trains; 1 where it is not set."""
    return _number(PROCESSES) or 1


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gpus() -> list[str]:
    """The GPUs that this process may use: those of CUDA_VISIBLE_DEVICES, else all of NVIDIA's.

    No library is asked: to load one takes seconds, and memory on each GPU.
    """
    if VISIBLE in os.environ:
        return [name.strip() for name in os.environ[VISIBLE].split(",") if name.strip()]
    found = (device.name.removeprefix("nvidia") for device in Path("/dev").glob("nvidia[0-9]*"))
    return sorted(found, key=int)


def threads() -> int:
    """Processors that this process is granted: ECQG_THREADS, else all that it may use."""
    return _number(THREADS) or processors()


def _number(variable: str) -> int | None:
    """What an environment variable is set to. Raises InputError where that is no number."""
    text = os.environ.get(variable)
    if text and not (text.isdecimal() and int(text) > 0):
        raise InputError(f"{variable}={text}", remedy="set it to a whole number from 1 on")
    return int(text) if text else None


def begin() -> None:
    """How a process of a pool begins: it ends with its parent, and computes by one thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that gives out the work
    end_with_parent()
    os.environ[THREADS] = "1"
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
