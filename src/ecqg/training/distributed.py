"""Training by several processes that torchrun, or ecqg.training.launch, started.

Otherwise there is one process, and every function here does nothing or the obvious. There
is no wrapper of a model (DistributedDataParallel): gradients are added up once a step, by
`sum_gradients`. A wrapper takes their mean, at every backward pass of a model that was called
through it; ours has a loss whose every share is already that of the whole batch, several backward
passes a step, and two encoders that are called by other doors than `forward`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import distributed

from ecqg.errors import InputError
from ecqg.training.device import pick_device

Rows = NDArray[np.int64]
PIECE = 1 << 26  # bytes of a file that are sent at once
STORE = "ECQG_STORE"  # a file of this machine's, through which processes find each other


@contextmanager
def processes() -> Iterator[None]:
    """Join the processes that were started together; within another such context, nothing happens.

    They talk through NCCL where each has a GPU of its own and through gloo on CPUs, and meet at
    the file STORE where it is named, else as torchrun says. Raises InputError where a process finds
    no GPU for itself.
    """
    if _together() or not launched():
        yield
        return
    device = process_device()
    options: dict[str, Any] = {"backend": "gloo"}
    if device.type == "cuda":
        torch.cuda.set_device(device)
        options = {"backend": "nccl", "device_id": device}
    if STORE in os.environ:
        rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        store = distributed.FileStore(os.environ[STORE], size)  # type: ignore[attr-defined]
        options |= {"store": store, "rank": rank, "world_size": size}
    distributed.init_process_group(**options)
    yield
    # After an error it is not left in order: that could wait for processes which are waiting for
    # this one. This one ends, and torchrun then ends the others.
    distributed.destroy_process_group()


def count() -> int:
    """How many processes train together."""
    return distributed.get_world_size() if _together() else 1


def rank() -> int:
    """This process among them, from 0."""
    return distributed.get_rank() if _together() else 0


def process_device() -> torch.device:
    """The device of this process: as `pick_device` has it, but a GPU for each process.

    Raises InputError where there is none for it.
    """
    device = pick_device()
    if device.type != "cuda" or not launched():
        return device
    local_rank = int(os.environ["LOCAL_RANK"])
    if local_rank >= torch.cuda.device_count():
        what = f"process {local_rank} of this machine has no GPU ({torch.cuda.device_count()} here)"
        remedy = "give torchrun --nproc-per-node no more than the GPUs, or set ECQG_DEVICE=cpu"
        raise InputError(what, remedy=remedy)
    return torch.device("cuda", local_rank)


def shares(rows: Rows) -> list[Rows]:
    """Each process's share of `rows`, in their order; later processes may have one row less.

    There may be fewer rows than processes: the last ones then have none.
    """
    return np.array_split(rows, count())


def sum_values(values: torch.Tensor) -> torch.Tensor:
    """The sum of all processes' tensors, the same in all of them."""
    if count() > 1:
        values = values.to(process_device(), copy=True)
        distributed.all_reduce(values)
    return values


def gather_rows(own: torch.Tensor, lengths: Sequence[int]) -> list[torch.Tensor]:
    """All processes' rows, by rank, as this process needs them: its own with their gradient.

    `own` is [lengths[rank()], width]; `lengths` says how many rows each process has, which all
    of them know. Other processes' rows are constants here, as they have the gradient there.
    """
    if count() == 1:
        return [own]
    # Collectives want one shape everywhere, so all are sent as long as the longest.
    padded = own.new_zeros(max(lengths), own.shape[1])
    padded[: len(own)] = own.detach()
    received = [torch.empty_like(padded) for _ in lengths]
    distributed.all_gather(received, padded)
    parts = [part[:length] for part, length in zip(received, lengths, strict=True)]
    parts[rank()] = own
    return parts


def sum_gradients(parameters: Iterable[torch.nn.Parameter]) -> None:
    """Replace every gradient by its sum over the processes.

    All must have gradients of the same parameters. The sum is the same to the bit in all of
    them, so that models which start equal stay equal.
    """
    if count() == 1:
        return
    gradients = [p.grad for p in parameters if p.grad is not None]
    works = [distributed.all_reduce(gradient, async_op=True) for gradient in gradients]
    for work in works:
        work.wait()


@contextmanager
def shared_file(path: Path | None) -> Iterator[Path | None]:
    """The first process's file, as a path that this process can read; None where that has none.

    All must enter together. `path` is the first process's, the others' is not looked at: they are
    sent the bytes and keep them, while the block lasts, in a file of their own, as their machine
    need not have the first one's disk.
    """
    if count() == 1:
        yield path
        return
    first = path if rank() == 0 else None
    with TemporaryDirectory(prefix="ecqg-") as folder:
        received = Path(folder) / "received"
        with (first or Path(os.devnull)).open("rb") as file, received.open("wb") as copy:
            while data := _sent(file.read(PIECE)):
                if first is None:
                    copy.write(data)
        yield first or (received if received.stat().st_size else None)


def _sent(data: bytes) -> bytes:
    """The first process's bytes."""
    held = [data]
    distributed.broadcast_object_list(held, 0, device=process_device())
    return held[0]


def launched() -> bool:
    """Whether this process is one of several that torchrun, or we, started together."""
    return distributed.is_available() and distributed.is_torchelastic_launched()


def _together() -> bool:
    return distributed.is_available() and distributed.is_initialized()
