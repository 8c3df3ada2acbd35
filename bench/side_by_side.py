"""Several ways to do the same work, measured in turns; and what one of them takes in memory.

What a bench shares with the others:

    rates = alternate({"ours": ours, "Pyserini": theirs}, rounds=5)
    print(table(rates, "pairs/s"))

The first side is ours. Sides take turns (A B A B ...), so that what else the machine does slows
all of them alike; ratios are those of the same round. They start after a pause, as the threads of
a library that multiplied matrices go on turning for a while, waiting for more.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil

PAUSE = 0.2  # seconds before a side begins
POLL = 0.02  # seconds between two looks at a process's memory, or SPARSE times as long as one takes
SPARSE = 30  # so that looks do not take a processor from what is measured
MIB = 2**20
os.environ["RAY_ADDRESS"] = ""  # this machine is measured, also where it is a node of a cluster


def peer(module: str) -> ModuleType:
    """Import what a bench compares with; ends the program in one line where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        sys.exit(f"{module} cannot be imported ({error}); pip install -e '.[bench,weights]'")


def alternate(sides: Mapping[str, Callable[[], float]], rounds: int = 5) -> dict[str, list[float]]:
    """Units per second of each side in each of `rounds`.

    Every side does its work once when called and returns the number of units that it did.
    """
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            time.sleep(PAUSE)
            since = time.perf_counter()
            units = side()
            rates[name].append(units / (time.perf_counter() - since))
    return rates


def counted(side: Callable[[], object], units: int) -> Callable[[], float]:
    """`side`, returning the units of work that it does."""

    def run() -> float:
        side()
        return units

    return run


def table(
    rates: Mapping[str, Sequence[float]],
    unit: str,
    *,
    floor: tuple[str, float] | None = None,
    memory: Mapping[str, float] | None = None,
) -> str:
    """Markdown: rates of every side, median (min..max), and how many times as fast the first is.

    Args:
        rates: what `alternate` returns.
        unit: of a rate, such as pairs/s.
        floor: what bounds the rate and the rate that it allows, in the same unit.
        memory: peak resident MiB of each side, if it was measured.
    """
    ours, *others = rates
    head = ["side", unit, f"against {ours}", *(["peak MiB"] if memory else [])]
    lines = [head, ["---"] * len(head)]
    for name, values in rates.items():
        row = [name, spread(values)]
        slower = f"{spread(ratios(rates[ours], values))} times as slow"
        row.append(slower if name in others else "")
        if memory:
            row.append(f"{memory[name]:,.0f}" if name in memory else "")
        lines.append(row)
    if floor is not None:
        what, rate = floor
        away = spread([rate / value for value in rates[ours]])
        row = [f"floor: {what}", number(rate), f"{ours} takes {away} times as long"]
        lines.append(row + [""] * (len(head) - len(row)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Our rate by theirs, round by round."""
    return [a / b for a, b in zip(ours, theirs, strict=True)]


def spread(values: Sequence[float]) -> str:
    """Median (min..max)."""
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{number(middle)} ({number(low)}..{number(high)})"


def number(value: float) -> str:
    """Three significant digits, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


@dataclass(frozen=True)
class Measured:
    """What a function returned in a process of its own, and what it took there.

    `peak` is the highest resident memory in MiB, imports and memory-mapped pages included;
    `private` is that of pages which no file backs, of the process and its children together.
    """

    result: Any
    seconds: float
    peak: float
    private: float


def peak_memory(function: Callable[..., Any], *args: Any) -> float:
    """The highest resident memory, in MiB, of a new process that calls `function(*args)`."""
    return measure(function, *args).peak


def measure(function: Callable[..., Any], *args: Any) -> Measured:
    """Call `function(*args)` in a new process (Linux).

    The function must be importable and its result picklable. `private` is looked up every POLL
    seconds or more, so that a shorter peak may be missed; `peak` is the kernel's own count and
    misses none of the process's, but sees children only at those looks. Raises RuntimeError where
    the process fails.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_call, args=(theirs, function, args))
    process.start()
    theirs.close()
    family = psutil.Process(process.pid)
    whole = private = took = 0.0
    while not ours.poll(max(POLL, SPARSE * took)):
        since = time.perf_counter()
        try:
            found = [p.memory_info() for p in (family, *family.children(recursive=True))]
        except psutil.NoSuchProcess:
            continue
        whole = max(whole, sum(memory.rss for memory in found) / MIB)
        private = max(private, sum(memory.rss - memory.shared for memory in found) / MIB)
        took = time.perf_counter() - since
    try:
        error, result, seconds, peak = ours.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"the process ended with exit code {process.exitcode}") from None
    process.join()
    if error:
        raise RuntimeError(f"in a process of its own:\n{error}")
    return Measured(result, seconds, max(whole, peak), private)


def _call(pipe: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    try:
        since = time.perf_counter()
        result = function(*args)
        pipe.send(("", result, time.perf_counter() - since, _high_water()))
    except BaseException:
        pipe.send((traceback.format_exc(), None, 0.0, 0.0))


def _high_water() -> float:
    """Of this process. Not ru_maxrss, which begins at what the parent had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
