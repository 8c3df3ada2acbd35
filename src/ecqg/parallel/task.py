"""What is done to each block of a map, wherever it is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from ecqg.errors import InputError

T = TypeVar("T")
R = TypeVar("R")
ATTEMPTS = 3  # at a block whose worker was lost


class Task(Generic[T, R]):
    """A frozen dataclass that says how blocks become results.

    Its fields must be picklable. Those that are paths name files or folders that it reads: a worker
    elsewhere gets a copy of them. A result depends on the block alone, not on the worker or on
    other blocks, so that any number of workers gives the same bytes.
    """

    device: ClassVar[bool] = False  # whether a GPU does it where there is one

    def start(self) -> Callable[[T], R]:
        """What a worker calls for each block; models are loaded here, once a worker."""
        raise NotImplementedError

    def name(self, block: T) -> str:
        """What people are told of a block that cannot be done."""
        return repr(block)[:200]


def wants_gpu(task: Task[T, R] | type[Task[T, R]]) -> bool:
    """Whether a GPU does it where there is one: ECQG_DEVICE=cpu says no."""
    return task.device and not os.environ.get("ECQG_DEVICE", "").startswith("cpu")


def paths_of(task: Task[T, R]) -> Iterator[tuple[str, Path]]:
    """The fields of a task that are paths."""
    for field in fields(task):  # type: ignore[arg-type]
        value = getattr(task, field.name)
        if isinstance(value, Path):
            yield field.name, value


def moved(task: Task[T, R], places: dict[str, Path]) -> Task[T, R]:
    """The task with other paths."""
    return replace(task, **places)  # type: ignore[type-var]


def give_up(task: Task[T, R], block: T, why: str) -> InputError:
    """The error of a block whose workers were lost again and again."""
    return InputError(
        f"a worker was lost {ATTEMPTS} times at {task.name(block)}: {why}",
        remedy="look whether memory ran out there; what is done stays done",
    )
