"""A task for tests: squares of the numbers of a block, and a file's text; it can die."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ecqg.errors import InputError
from ecqg.parallel.task import Task

START = -1


@dataclass(frozen=True)
class Squares(Task[list[int], tuple[list[int], str]]):
    """`dies` numbers a file: who meets that number while the file is there removes it and dies.

    START is met by a worker that starts.
    """

    folder: Path
    seconds: float = 0.0
    dies: tuple[int, ...] = ()
    marks: str = ""  # a folder that all workers share
    fails: int = -1
    error: int = 0  # of `errno`, with which it fails; else an InputError

    def start(self) -> Callable[[list[int]], tuple[list[int], str]]:
        text = (self.folder / "text").read_text()
        self._meet(START)

        def do(block: list[int]) -> tuple[list[int], str]:
            time.sleep(self.seconds)
            for number in block:
                if number == self.fails and self.error:
                    raise OSError(self.error, os.strerror(self.error))
                if number == self.fails:
                    raise InputError(f"{number} is bad", remedy="give another")
                self._meet(number)
            return [number**2 for number in block], text

        return do

    def _meet(self, number: int) -> None:
        if number in self.dies:
            marks = sorted(Path(self.marks).glob(f"{number}-*"))
            if marks:
                with suppress(FileNotFoundError):  # another one may have met it
                    marks[0].unlink()
                os._exit(1)

    def name(self, block: list[int]) -> str:
        return f"numbers {block[0]} to {block[-1]}"


@dataclass(frozen=True)
class Devices(Task[list[int], tuple[str, str]]):
    """What a worker may use: the GPUs that it sees, and ECQG_DEVICE."""

    device = True

    def start(self) -> Callable[[list[int]], tuple[str, str]]:
        seen = os.environ.get("CUDA_VISIBLE_DEVICES", ""), os.environ.get("ECQG_DEVICE", "")
        return lambda block: seen


def blocks(count: int) -> list[list[int]]:
    return [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(count)]


def expected(count: int) -> list[tuple[list[int], str]]:
    return [([n**2 for n in block], "hello") for block in blocks(count)]


def make(folder: Path, **values: object) -> Squares:
    """The task, with its file; `dies` numbers get marks as they say: (number, times)."""
    (folder / "model").mkdir()
    (folder / "model/text").write_text("hello")
    (folder / "marks").mkdir()
    dies = values.pop("dies", ())
    for number, times in dies:  # type: ignore[attr-defined]
        for i in range(times):
            (folder / f"marks/{number}-{i}").touch()
    numbers = tuple(number for number, _ in dies)  # type: ignore[attr-defined]
    marks = str(folder / "marks")
    return Squares(folder / "model", dies=numbers, marks=marks, **values)  # type: ignore[arg-type]
