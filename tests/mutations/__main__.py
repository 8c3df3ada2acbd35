"""Mutate small valid files of every kind that ecqg reads, and say what the readers make of them.

    PYTHONPATH=tests python -m mutations --mutations 10000 --seed 1

Every mutation must be accepted, or refused with one line (InputError). A traceback, a crash, more
than 1 GiB of memory, more than five seconds, and the loss of content that is still valid are
failures; the command then ends with status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutations.kinds import KINDS

GOOD = ("accepted", "refused")
BAD = ("traceback", "crash", "memory", "slow", "loss")
AT_ONCE = 400  # mutations in one process
# Seconds, for a start with torch too; the worker's alarm comes first unless C code keeps it back.
SILENCE = 200
Outcome = tuple[str, int, str, str]  # kind, number, outcome, detail


def try_kind(name: str, seed: str, count: int, keep: str = "") -> Iterator[Outcome]:
    """The outcomes of `count` mutations of a kind."""
    number = 0
    while number < count:
        last = min(count, number + AT_ONCE)
        begun = number
        with tempfile.TemporaryFile("w+") as errors:
            code, lines = work([name, seed, str(number), str(last), keep], errors)
            for line in lines:
                _, begun, *found = json.loads(line)
                if found:
                    yield name, begun, *found
                    number = begun + 1
            if number < last:
                errors.seek(0)
                if not lines:
                    raise RuntimeError(f"{name}: {errors.read()[-2000:]}")
                what = "slow" if code is None else "crash"
                yield name, begun, what, f"status {code}: {errors.read()[-200:]}"
                number = begun + 1


def work(arguments: list[str], errors: object) -> tuple[int | None, list[str]]:
    """A worker's status, None if it had to be stopped, and its lines."""
    command = [sys.executable, "-m", "mutations.worker", *arguments]
    here = str(Path(__file__).parents[1])
    paths = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {
        "PYTHONPATH": paths,
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        timer = _Watch(process)
        for line in process.stdout:
            timer.restart()
            if line.startswith('["'):  # libraries print, too
                lines.append(line)
        timer.stop()
        return (None if timer.fired else process.wait()), lines


class _Watch:
    """Kills a process that is silent for too long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.fired = False
        self.restart(first=True)

    def restart(self, *, first: bool = False) -> None:
        from threading import Timer

        if not first:
            self._timer.cancel()
        self._timer = Timer(SILENCE, self._fire)
        self._timer.daemon = True
        self._timer.start()

    def _fire(self) -> None:
        self.fired = True
        self._process.kill()

    def stop(self) -> None:
        self._timer.cancel()


def main() -> int:
    """Print a table of outcomes by kind, and every failure."""
    parser = argparse.ArgumentParser(prog="mutations", description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000, help="over all kinds")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="", help="folder for the files of failures")
    told = parser.parse_args()
    keep = str(Path(told.keep).absolute()) if told.keep else ""
    each = -(-told.mutations // len(told.kinds))
    total: Counter[str] = Counter()
    print(f"{'kind':24}" + "".join(f"{what:>11}" for what in (*GOOD, *BAD)))
    with ThreadPoolExecutor(told.jobs) as pool:
        tried = pool.map(lambda name: list(try_kind(name, told.seed, each, keep)), told.kinds)
        for name, outcomes in zip(told.kinds, tried, strict=True):
            counts = Counter(outcome for _, _, outcome, _ in outcomes)
            total += counts
            row = "".join(f"{counts[what]:11}" for what in (*GOOD, *BAD))
            print(f"{name:24}{row}", flush=True)
            for _, number, outcome, detail in outcomes:
                if outcome in BAD:
                    print(f"    {outcome} at {number}: {' '.join(detail.split())}", flush=True)
    print(f"{total.total():,} mutations: {', '.join(f'{w} {total[w]:,}' for w in (*GOOD, *BAD))}")
    return int(any(total[what] for what in BAD))


if __name__ == "__main__":
    sys.exit(main())
