"""A task's blocks on a Ray cluster: an actor for each of its processors, or for each of its GPUs.

Actors load their models once, from copies of the driver's files. The driver keeps a few blocks
ahead of each, no more, and gives those of an actor that is lost to another one.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tarfile import TarFile
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from ecqg import closure, numerics
from ecqg.closure import digest as digest_of
from ecqg.closure import versions
from ecqg.errors import InputError
from ecqg.parallel.task import ATTEMPTS, Task, give_up, moved, paths_of
from ecqg.resume import digest

T = TypeVar("T")
R = TypeVar("R")
EACH = 2  # blocks that an actor is given before the result of an older one is taken
ASK = 5.0  # seconds
WAIT = 60.0  # seconds for the first actor
REMEDY = "look at 'ray status'; start the stage again, it goes on"


def run_on_cluster(task: Task[T, R], blocks: Iterable[T]) -> Iterator[R]:
    """Yield the result of each block, in order. Raises InputError where the cluster is lost."""
    yield from _Driver(_connect(), task).results(blocks)


def _connect() -> Any:
    """Ray, connected to the cluster that RAY_ADDRESS names, and so for the maps that follow."""
    try:
        import ray
    except ImportError:
        what, remedy = "RAY_ADDRESS is set, and there is no Ray", "pip install 'ecqg[cluster]'"
        raise InputError(what, remedy=remedy) from None
    if ray.is_initialized():
        return ray
    address = os.environ["RAY_ADDRESS"]
    try:
        host, _, port = address.rpartition(":")
        if port.isdecimal() and "/" not in address:  # Ray would try for a minute
            socket.create_connection((host, int(port)), ASK).close()
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except OSError as error:
        what = f"no Ray cluster at {address} ({error})"
        raise InputError(what, remedy="start one, or unset RAY_ADDRESS") from None
    return ray


class Worker:
    """An actor. It runs where this package is installed in the driver's version."""

    def __init__(self, task: Task[Any, Any], files: dict[str, bytes], version: str) -> None:
        if version != _version(task):
            raise RuntimeError("another version of ecqg is installed there")
        self._copies = TemporaryDirectory(prefix="ecqg-")
        folder = Path(self._copies.name)
        places = {}
        for name, packed in files.items():
            with TarFile(fileobj=BytesIO(packed)) as tar:
                # The driver made it. Python 3.11 has `filter` since its fourth release only.
                tar.extractall(folder / name)
            (places[name],) = (folder / name).iterdir()
        self._do: Callable[[Any], Any] = moved(task, places).start()

    def do(self, block: Any) -> Any:
        """A block's result."""
        return self._do(block)

    def ready(self) -> bool:
        """Answers once the models are loaded."""
        return True


def _version(task: Task[Any, Any]) -> str:
    """What a task runs with: the code that its module imports of this package, and libraries."""
    module = Path(sys.modules[type(task).__module__].__file__ or "")
    return digest([], [digest_of(file) for file in closure.files(module)], versions())


def _pack(path: Path) -> bytes:
    """A file or folder as a tar archive of one entry, with what links lead to."""
    out = BytesIO()
    with TarFile(fileobj=out, mode="w", dereference=True) as tar:
        tar.add(path.resolve(), arcname=path.name)
    return out.getvalue()


@dataclass
class _Block:
    """One on its way."""

    block: Any
    number: int
    attempts: int = 0
    actor: Any = None
    reference: Any = None


@dataclass
class _Driver:
    """What the driver knows of a map."""

    ray: Any
    task: Task[Any, Any]
    actors: list[Any] = field(default_factory=list)

    def results(self, blocks: Iterable[T]) -> Iterator[Any]:
        """In order."""
        ray = self.ray
        self._start()
        rest, done, pending = enumerate(blocks), dict[int, Any](), dict[Any, _Block]()
        again: deque[_Block] = deque()
        turn, ended = 0, False
        try:
            while True:
                load = {id(actor): 0 for actor in self.actors}
                for one in pending.values():
                    load[id(one.actor)] = load.get(id(one.actor), 0) + 1
                for actor in [a for _ in range(EACH) for a in self.actors]:
                    if load[id(actor)] >= EACH:
                        continue
                    if again:
                        one = again.popleft()
                    # What is done waits for its turn: no more than so much is ahead of it.
                    elif ended or len(done) >= EACH * len(self.actors):
                        break
                    elif (following := next(rest, None)) is not None:
                        one = _Block(following[1], following[0])
                    else:
                        ended = True
                        break
                    one.actor, one.reference = actor, actor.do.remote(one.block)
                    pending[one.reference] = one
                    load[id(actor)] += 1
                if not pending and ended and not again:
                    return
                (finished, *_), _ = ray.wait(list(pending), num_returns=1)
                one = pending.pop(finished)
                try:
                    done[one.number] = ray.get(finished)
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
                except ray.exceptions.RayError as error:
                    self._lost(one, error, again)
                while turn in done:
                    yield done.pop(turn)
                    turn += 1
        finally:
            for actor in self.actors:
                with suppress(Exception):
                    ray.kill(actor)

    def _start(self) -> None:
        """As many actors as there are processors or GPUs; waits for the first."""
        ray = self.ray
        has = ray.cluster_resources()
        gpus = int(has.get("GPU", 0)) if self.task.device else 0
        count = gpus or max(1, int(has.get("CPU", 1)))
        variables = numerics.VARIABLES if numerics.mode() == numerics.PORTABLE else {}
        environment = {"env_vars": {**variables, "ECQG_THREADS": "1"}}
        kind = ray.remote(num_cpus=0 if gpus else 1, num_gpus=min(1, gpus), max_restarts=0)(Worker)
        files = ray.put({name: _pack(path) for name, path in paths_of(self.task)})
        task = ray.put(self.task)
        made = kind.options(runtime_env=environment)
        self.actors = [made.remote(task, files, _version(self.task)) for _ in range(count)]
        ready = {actor.ready.remote(): actor for actor in self.actors}
        first, _ = ray.wait(list(ready), num_returns=1, timeout=WAIT)
        if not first:
            what = f"no processor of the Ray cluster was free in {WAIT:.0f} s"
            raise InputError(what, remedy=REMEDY)
        for reference in first:
            try:
                ray.get(reference)
            except ray.exceptions.RayError as error:
                said = str(getattr(error, "cause", None) or error).strip().splitlines()[-1]
                what = f"a worker of the Ray cluster could not start: {said}"
                raise InputError(what, remedy="install the same ecqg on every node") from None

    def _lost(self, one: _Block, error: Exception, again: deque[_Block]) -> None:
        """Another actor is to do the block."""
        one.attempts += 1
        self.actors = [actor for actor in self.actors if actor is not one.actor]
        if one.attempts == ATTEMPTS:
            raise give_up(self.task, one.block, str(error).splitlines()[0])
        if not self.actors:
            what = f"all workers of the Ray cluster are lost ({str(error).splitlines()[0]})"
            raise InputError(what, remedy=REMEDY)
        again.append(one)
