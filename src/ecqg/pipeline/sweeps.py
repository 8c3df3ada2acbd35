"""Sweeps: files of what is varied, and DVC's queue of experiments that runs them.

A point of a sweep is one value of each axis and a seed. It is an experiment of DVC's, whose name
says which: `reader-threshold_0.3_seed-1`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any

import msgspec

from ecqg.checking import read_yaml
from ecqg.errors import InputError
from ecqg.pipeline.forks import MEMORY
from ecqg.processes import THREADS, processors
from ecqg.progress import track

FOLDER = Path("sweeps")
DVC = [str(Path(sys.executable).parent / "dvc")]
POLL = 5.0  # seconds between two looks at what is finished
PATIENCE = 6  # looks at which nothing is finished, before one at DVC's queue, which takes 2 seconds
TRIES = 3  # times that an experiment is queued which DVC loses
Value = int | float | str | bool | None | tuple[int | float | str, ...]
Seed = Annotated[int, msgspec.Meta(ge=0)]
Some = msgspec.Meta(min_length=1)


class Axis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is varied: one parameter, or for each value several."""

    name: str
    values: Annotated[tuple[Value, ...], Some]  # of `parameter`; else what the points are called
    parameter: str = ""
    settings: tuple[dict[str, Value], ...] = ()  # for each value, where it is no single parameter

    def choices(self) -> Iterator[tuple[Value, dict[str, Value]]]:
        """Each value with the parameters that it sets."""
        for number, value in enumerate(self.values):
            yield value, {self.parameter: value} if self.parameter else self.settings[number]


class Sweep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of FOLDER."""

    about: str
    seeds: Annotated[tuple[Seed, ...], Some]
    axes: Annotated[tuple[Axis, ...], msgspec.Meta(max_length=2)] = ()
    profile: str = ""  # that params.yaml must be of
    systems: tuple[str, ...] = ("dpr", "uncon", "mixed")  # the first is what others are compared to
    test_sets: tuple[str, ...] = ("nq_like", "uniform", "tail")
    ks: tuple[int, ...] = (1, 5)
    premises: tuple[str, ...] = ()  # of results/premises.csv
    # A value of the only axis: differences are each system's to itself there, not to the first one.
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """An experiment of a sweep."""

    name: str
    values: tuple[Value, ...]  # one of each axis
    seed: int
    settings: dict[str, Value]  # parameters, by whole name

    def arguments(self) -> list[str]:
        """What `dvc exp run` is told."""
        settings = (f"{key}={_text(value)}" for key, value in self.settings.items())
        return [word for setting in settings for word in ("--set-param", setting)]


def describe() -> Iterator[tuple[str, str]]:
    """The name of each sweep, and what it is about."""
    for file in sorted(FOLDER.glob("*.yaml")):
        yield file.stem, read_sweep(file.stem).about


def read_sweep(name: str, seeds: Sequence[int] | None = None) -> Sweep:
    """The sweep of that name, with `seeds` in place of its own where there are any.

    Raises InputError where there is none or something in it is wrong.
    """
    file = FOLDER / f"{name}.yaml"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.yaml"))) or "none"
        raise InputError(f"no sweep {name!r}", file=FOLDER, remedy=f"there is {known}")
    try:
        sweep = msgspec.convert(read_yaml(file), Sweep, strict=True)
    except msgspec.ValidationError as error:
        raise InputError(f"no sweep ({error})", file=file, remedy="see docs/usage.md") from None
    if seeds:
        sweep = msgspec.structs.replace(sweep, seeds=tuple(seeds))
    for axis in sweep.axes:
        if bool(axis.parameter) == bool(axis.settings):
            what = (
                f"axis {axis.name} has {'both' if axis.parameter else 'no'} parameter or settings"
            )
            raise InputError(what, file=file, remedy="give one of parameter and settings")
        if axis.settings and len(axis.settings) != len(axis.values):
            what = f"axis {axis.name} has {len(axis.values)} values, {len(axis.settings)} settings"
            raise InputError(what, file=file, remedy="give as many of the one as of the other")
    if sweep.reference and [sweep.reference in axis.values for axis in sweep.axes] != [True]:
        what = f"reference {sweep.reference} is no value of an only axis"
        raise InputError(what, file=file, remedy="name one of its values")
    names = [point.name for point in points(name, sweep)]
    if twice := next((n for n in names if names.count(n) > 1), None):
        raise InputError(f"two points are called {twice}", file=file, remedy="name each value once")
    return sweep


def points(name: str, sweep: Sweep) -> list[Point]:
    """All points of a sweep, seed by seed, so that an interrupted one has whole seeds."""
    found = []
    for seed in sweep.seeds:
        for chosen in product(*(axis.choices() for axis in sweep.axes)):
            values = tuple(value for value, _ in chosen)
            settings = {key: value for _, own in chosen for key, value in own.items()}
            words = [name, *map(_word, values), f"seed-{seed}"]
            found.append(Point("_".join(words), values, seed, {**settings, "seed": seed}))
    return found


def _word(value: Value) -> str:
    """A value as part of the name of a Git reference."""
    return re.sub(r"[^\w.-]+", "-", _text(value)).strip(".-") or "none"


def _text(value: Value) -> str:
    """A value as `dvc exp run --set-param` takes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, tuple):
        return f"[{','.join(map(str, value))}]"
    return str(value)


def finished(names: Iterable[str]) -> list[str]:
    """Those of the names that are experiments which began from the last commit."""
    there = {*_experiments()}
    return [name for name in names if name in there]


def parameters_of(point: Point, tree: Any) -> Any:
    """What params.yaml has with a point's settings, where `tree` is what it has without."""
    tree = deepcopy(tree)
    for name, value in point.settings.items():
        *sections, last = name.split(".")
        section = tree
        for part in sections:
            section = section[part]
        section[last] = list(value) if isinstance(value, tuple) else value
    return tree


def run(
    name: str,
    sweep: Sweep,
    jobs: int,
    there: Collection[str] = (),
    keep: Callable[[str], None] = lambda name: None,
) -> list[str]:
    """Queue the points that are not there yet, and have DVC work its queue off.

    Returns the names of those that failed. A bar counts experiments and says what time is left.
    What was interrupted goes on at the next call: finished experiments of the last commit are not
    run again, nor are stages in DVC's cache, nor those that are called `there`. `keep` is called
    with the name of each other that is finished. Raises InputError where DVC cannot queue one.
    """
    every = points(name, sweep)
    names = [point.name for point in every]
    missing = {point.name: point for point in every if point.name not in there}
    for one in finished(missing):
        keep(one)
        del missing[one]
    if not missing:
        return []
    arriving = _arriving(missing, jobs)
    for one in track(arriving, name, total=len(names), done=len(names) - len(missing), unit="run"):
        keep(one)
        del missing[one]
    return list(missing)


def _arriving(missing: Mapping[str, Point], jobs: int) -> Iterator[str]:
    """Names of experiments as they are finished, until DVC's queue has no other of them.

    It is not left to `dvc exp run --run-all`, which waits for ever where a worker is lost: one that
    ends as the queue was empty may still take an experiment, of which DVC then says that it runs.
    """
    left, tries = dict(missing), Counter[str]()
    busy, looks = True, PATIENCE
    try:
        while left and busy:
            if looks < PATIENCE:
                time.sleep(POLL)
            else:
                busy, looks = _work(left, tries, jobs), 0
            done = finished(left)
            for name in done:
                del left[name]
            looks = 0 if done else looks + 1
            yield from done
    except BaseException:
        _dvc("queue", "stop", "--kill")
        raise


def _work(left: Mapping[str, Point], tries: Counter[str], jobs: int) -> bool:
    """Have DVC queue what it never had or lost, and start workers. Whether any of it is there."""
    workers = _workers()  # before the queue: where there are none, nothing that runs ends meanwhile
    waiting, running = _queue()
    lost = [name for name in running if name in left and not workers]
    if lost:
        _dvc("queue", "kill", *lost)
    there = {*waiting, *running} - {*lost}
    for name, point in left.items():
        if tries[name] == 0 or (name in lost and tries[name] < TRIES):
            tries[name] += 1
            if name not in there:
                _dvc("exp", "run", "--queue", "--name", name, *point.arguments())
                waiting.append(name)
    if waiting and workers < jobs:
        env = {**MEMORY, THREADS: str(max(1, processors() // jobs)), **os.environ}
        _dvc("queue", "start", "--jobs", str(jobs), env=env)
    return not left.keys().isdisjoint({*there, *waiting})


def _workers() -> int:
    """How many workers of DVC's queue there are; one that is busy may not answer DVC in time."""
    import psutil

    found = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            ours = "queue-worker" in process.cmdline()
            found += ours and Path(process.cwd()).is_relative_to(Path.cwd())
    return found


def _experiments() -> Iterator[str]:
    """Names of experiments that began from the last commit."""
    head = _output(["git", "rev-parse", "HEAD"]).strip()
    refs = _output(["git", "for-each-ref", "--format=%(refname)", f"refs/exps/{head[:2]}"])
    for line in refs.splitlines():
        *_, rest, name = line.split("/")
        if rest == head[2:]:
            yield name


def _queue() -> tuple[list[str], list[str]]:
    """Names of experiments that wait in DVC's queue, and of those that run."""
    rows = [line.split() for line in _output([*DVC, "queue", "status"]).splitlines()]
    of = {state: [row[1] for row in rows if row[-1:] == [state]] for state in ("Queued", "Running")}
    return of["Queued"], of["Running"]


def _dvc(*arguments: str, env: Mapping[str, str] | None = None) -> None:
    # Into a file: a pipe would be read until the workers end, which have it from this command.
    with TemporaryFile("w+") as said:
        done = subprocess.run(
            [*DVC, *arguments], stdout=subprocess.DEVNULL, stderr=said, check=False, env=env
        )
        if done.returncode:
            said.seek(0)
            text = said.read()
            lines = [line for line in text.splitlines() if line.startswith("ERROR")]
            what = f"dvc {' '.join(arguments[:2])}: {' '.join(lines or text.split())}"
            raise InputError(what, remedy="see 'dvc queue status'")


def _output(command: Sequence[str]) -> str:
    result: subprocess.CompletedProcess[Any] = subprocess.run(
        command, capture_output=True, text=True, check=True
    )
    return str(result.stdout)
