"""What a person sees of stages that run side by side."""

from __future__ import annotations

import os
import time
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ecqg.errors import printable
from ecqg.pipeline.worker import Outcome, log_file

TAIL = 2000  # bytes of a log that hold its last line


class Display:
    """A line for each stage that ends, and below them, on a terminal, one for each that runs."""

    def __init__(self, total: int, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._total = total
        self._done = 0
        self._running: dict[str, float] = {}
        self._begin = time.monotonic()
        self._live = Live(
            console=self._console, auto_refresh=False, transient=True, get_renderable=self._render
        )

    def __enter__(self) -> Display:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._live.stop()

    def started(self, name: str) -> None:
        """A stage begins."""
        self._running[name] = time.monotonic()
        if not self._console.is_terminal:
            self._console.print(f"Running stage '{name}'", markup=False)

    def stopping(self) -> None:
        """Somebody wants to stop, but stages still run."""
        self._console.print(f"Stopping {', '.join(self._running)}", markup=False)

    def unchanged(self) -> None:
        """A stage had nothing to do."""
        self._done += 1

    def ended(self, outcome: Outcome, *, stopped: bool = False) -> None:
        """A stage has ended, well or not; `stopped` says that somebody wanted that."""
        self._running.pop(outcome.name)
        if outcome.problem and stopped:
            self._console.print(f"{outcome.name}: stopped", markup=False)
            return
        if outcome.explained:
            self._console.print(f"{outcome.name}: {outcome.problem}", markup=False, soft_wrap=True)
            return
        if outcome.problem:
            text = "\n".join(map(printable, self._last_lines(outcome.name)))
            self._console.print(f"{text}\n{outcome.name}: {outcome.problem}", markup=False)
            self._console.print(f"All of its output: {log_file(outcome.name)}", markup=False)
            return
        self._done += 1
        count = f"[{self._done:{len(str(self._total))}}/{self._total}]"
        self._console.print(f"{count} {outcome.name} {_duration(outcome.seconds)}", markup=False)

    def refresh(self) -> None:
        """Show the running stages as they are now."""
        if self._console.is_terminal:
            self._live.refresh()

    def _render(self) -> Group:
        now = time.monotonic()
        lines = [f"{self._done} of {self._total} stages, {_duration(now - self._begin)}"]
        for name, since in self._running.items():
            last = last_line(log_file(name))
            lines.append(f"  {name} {_duration(now - since)}  {last}")
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))

    def _last_lines(self, name: str, count: int = 15) -> list[str]:
        text = log_file(name).read_text(errors="replace")
        return text.replace("\r", "\n").splitlines()[-count:]


def last_line(path: Path) -> str:
    """What a log says last; a progress bar's lines end with carriage returns."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    lines = [line.strip() for line in text.replace("\r", "\n").splitlines()]
    return printable(next((line for line in reversed(lines) if line), ""))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
