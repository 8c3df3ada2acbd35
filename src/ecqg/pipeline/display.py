"""What people see of a run: a line for each stage that has ended, and what runs."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ecqg.errors import printable
from ecqg.pipeline.forks import log_file, peak_file

TAIL = 10_000  # bytes of a log that hold its last lines
LEAST = 20.0  # expected seconds of stages that have run, before time left is said


class Display(Live):
    """A line for each stage that ends, and below them, on a terminal, one for each that runs."""

    def __init__(self, expected: Mapping[str, float], jobs: int) -> None:
        """`expected` has all stages, also those that have nothing to do, with seconds, or 0."""
        self.total, self.done, self._jobs = len(expected), 0, jobs
        self._left = dict(expected)
        self._taken = self._expected = 0.0  # seconds of the stages that ran
        self.begin = time.monotonic()
        self.running: dict[str, float] = {}  # since when
        self.times: dict[str, tuple[float, int]] = {}  # of stages that ended well: seconds, MiB
        console = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)
        super().__init__(console=console, auto_refresh=False, transient=True)

    def skipped(self, name: str) -> None:
        """A stage had nothing to do."""
        self.done += 1
        self._left.pop(name)

    def started(self, name: str) -> None:
        """A stage begins."""
        self.running[name] = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"Running stage '{name}'")

    def ended(self, name: str, problem: str = "") -> None:
        """A stage that began has ended; an empty `problem` means well."""
        begin = self.running.pop(name)
        self.done += not problem
        self._expected += self._left.pop(name)
        taken, peak = time.monotonic() - begin, _peak(name)
        self._taken += taken
        if not problem:
            self.times[name] = taken, peak
        count = f"[{self.done:{len(str(self.total))}}/{self.total}]"
        held = f", {peak:,} MiB" if peak else ""
        lines = problem.split("\n") if problem else [f"{count} {name} {_since(begin)}{held}"]
        self.console.print("\n".join(map(printable, lines)))  # DVC's words may quote a file's

    def get_renderable(self) -> Group:
        """The lines below, as they are now."""
        lines = [f"{self.done} of {self.total} stages, {_since(self.begin)}{self._time_left()}"]
        for name, begin in self.running.items():
            lines.append("  ".join(["", name, str(_since(begin)), *last_lines(log_file(name), 1)]))
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))

    def _time_left(self) -> str:
        """By what the stages took that have run, beside what they were expected to take."""
        if self._expected < LEAST:
            return ""
        now = time.monotonic()
        slower = self._taken / self._expected
        begun = sum(min(now - b, slower * self._left[n]) for n, b in self.running.items())
        left = max(0.0, slower * sum(self._left.values()) - begun) / self._jobs
        return f", about {timedelta(seconds=round(left))} left"


def _peak(name: str) -> int:
    """The most memory that a stage's own process held, in MiB; 0 where nobody knows."""
    file = peak_file(name)
    return round(int(file.read_text()) / 1024) if file.is_file() else 0


def last_lines(log: Path, count: int) -> list[str]:
    """Up to `count` lines that a log ends with, of those that are not blank; none without a log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            lines = file.read().decode(errors="replace").splitlines()  # a bar's end with returns
    except FileNotFoundError:
        return []
    return [printable(line.rstrip()) for line in lines if line.strip()][-count:]


def _since(begin: float) -> timedelta:
    return timedelta(seconds=round(time.monotonic() - begin))
