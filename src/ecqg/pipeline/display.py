"""What a person sees of stages that run side by side."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ecqg.errors import printable
from ecqg.pipeline.forks import log_file

TAIL = 10_000  # bytes of a log that hold its last lines


class Display(Live):
    """A line for each stage that ends, and below them, on a terminal, one for each that runs."""

    def __init__(self, total: int) -> None:
        """`total` counts all stages, also those that have nothing to do."""
        self.total, self.done = total, 0
        self.begin = time.monotonic()
        self.running: dict[str, float] = {}  # since when
        console = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)
        super().__init__(console=console, auto_refresh=False, transient=True)

    def started(self, name: str) -> None:
        """A stage begins."""
        self.running[name] = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"Running stage '{name}'")

    def ended(self, name: str, problem: str = "") -> None:
        """A stage that began has ended; an empty `problem` means well."""
        begin = self.running.pop(name)
        self.done += not problem
        count = f"[{self.done:{len(str(self.total))}}/{self.total}]"
        self.console.print(problem or f"{count} {name} {_since(begin)}")

    def get_renderable(self) -> Group:
        """The lines below, as they are now."""
        lines = [f"{self.done} of {self.total} stages, {_since(self.begin)}"]
        for name, begin in self.running.items():
            lines.append("  ".join(["", name, str(_since(begin)), *last_lines(log_file(name), 1)]))
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))


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
