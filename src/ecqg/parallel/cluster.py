"""A task's blocks on a Ray cluster: an actor for each of its processors, or for each of its GPUs.

Actors load their models once, from the driver's files where they see them, else from copies. The
driver keeps a few blocks ahead of each that has done so, no more, gives those of an actor that is
lost to another one, and starts one in its place. Processors that another driver has are waited for.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ecqg import numerics
from ecqg.errors import InputError
from ecqg.parallel.copies import pack, state
from ecqg.parallel.task import ATTEMPTS, Task, give_up, moved, paths_of, wants_gpu
from ecqg.parallel.worker import Worker, version_of

T = TypeVar("T")
R = TypeVar("R")
EACH = 2  # blocks that an actor is given before the result of an older one is taken
ASK = 5.0  # seconds for an answer of the head, and from one question to the next
LEAVE = 5.0  # seconds for actors to give back their copies, before they are killed
WAIT = 60.0  # seconds without an actor, from one look at what keeps them to the next
REMEDY = "look at 'ray status'; start the stage again, it goes on"


def run_on_cluster(task: Task[T, R], blocks: Iterable[T]) -> Iterator[R]:
    """Yield the result of each block, in order.

    Raises what the task raises; InputError where the cluster is lost, cannot be used, or has not
    the driver's ecqg.
    """
    ray = _connect()
    try:
        yield from _Driver(ray, task).results(blocks)
    except ray.exceptions.RayError as error:
        raise InputError(f"the Ray cluster fails: {_first_line(error)}", remedy=REMEDY) from error


def _connect() -> Any:
    """Ray, connected to the cluster that RAY_ADDRESS names, and so for the maps that follow."""
    # A Java that runs here lives by SIGSEGV, which Ray would take from it.
    os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
    try:
        import ray
    except ImportError:
        what, remedy = "RAY_ADDRESS is set, and there is no Ray", "pip install 'ecqg[cluster]'"
        raise InputError(what, remedy=remedy) from None
    if ray.is_initialized():
        return ray
    address = os.environ["RAY_ADDRESS"]
    try:
        if address == "local":  # Ray would start one, with ports that nobody asked for
            raise ValueError("that is no HOST:PORT")
        host, _, port = address.rpartition(":")
        if port.isdecimal() and "/" not in address:  # Ray would try for a minute
            socket.create_connection((host, int(port)), ASK).close()
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:  # nothing there, another Ray, no address
        what = f"no Ray cluster at {address} ({error})"
        remedy = "start one, or do without (RAY_ADDRESS=); a token needs RAY_AUTH_MODE=token"
        raise InputError(what, remedy=remedy) from None
    return ray


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


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
    actors: list[Any] = field(default_factory=list)  # that have loaded their models
    starting: dict[Any, Any] = field(default_factory=dict)  # the others, by what tells of the end
    packed: dict[str, Any] = field(default_factory=dict)  # of the task's paths, once one is missing
    gpus: bool = False  # whether actors have GPUs, else processors
    places: int = 0  # how many of them have one
    failing: float = 0.0  # since when actors are lost at their start
    make: Callable[[], Any] = field(init=False)  # an actor
    load: Callable[[Any], Any] = field(init=False)  # its models, and what is packed
    looked: float = field(default_factory=time.monotonic)  # when the head answered last

    def results(self, blocks: Iterable[T]) -> Iterator[Any]:
        """In order."""
        ray = self.ray
        rest, done, pending = enumerate(blocks), dict[int, Any](), dict[Any, _Block]()
        again: deque[_Block] = deque()
        turn, ended = 0, False
        try:
            self._start()
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
                finished = self._wait(pending)
                if finished in self.starting:
                    self._begun(finished)
                    continue
                one = pending[finished]
                try:
                    done[one.number] = ray.get(finished)
                    del pending[finished]
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error  # Ray's text is a traceback of many lines
                except ray.exceptions.RayError as error:
                    again.extend(self._lost(one.actor, pending, error))
                while turn in done:
                    yield done.pop(turn)
                    turn += 1
        finally:
            if self.packed:
                with suppress(Exception):
                    left = [actor.leave.remote() for actor in self.actors]
                    ray.wait(left, num_returns=len(left), timeout=LEAVE)
            for actor in [*self.actors, *self.starting.values()]:
                with suppress(Exception):
                    ray.kill(actor)

    def _start(self) -> None:
        """As many actors as there are processors or GPUs."""
        ray = self.ray
        self.gpus = wants_gpu(self.task) and ray.cluster_resources().get("GPU", 0) >= 1
        variables = numerics.VARIABLES if numerics.mode() == numerics.PORTABLE else {}
        if not self.gpus:  # a node's own processes would take its GPUs unasked
            variables = {**variables, "ECQG_DEVICE": "cpu"}
        environment = {"env_vars": {**variables, "ECQG_THREADS": "1"}}
        places = {"num_cpus": int(not self.gpus), "num_gpus": int(self.gpus)}
        kind = ray.remote(**places, max_restarts=0)(Worker)
        self.make = kind.options(runtime_env=environment).remote
        paths = {name: path.absolute() for name, path in paths_of(self.task)}
        states = {name: state(path) for name, path in paths.items()}
        task, version = ray.put(moved(self.task, paths)), version_of(self.task)
        self.load = lambda actor: actor.load.remote(task, states, version, self.packed)
        self._grow(at_least=1)

    def _grow(self, at_least: int = 0) -> None:
        """An actor for each processor or GPU without one; nodes may come late, or again."""
        kind = "GPU" if self.gpus else "CPU"
        has = max(at_least, int(self.ray.cluster_resources().get(kind, 0)))
        for actor in [self.make() for _ in range(has - self.places)]:
            self.starting[self.load(actor)] = actor
        self.places = has

    def _wait(self, pending: Iterable[Any]) -> Any:
        """What is done next, a block or the start of an actor.

        Raises InputError where no processor is left to wait for, or the head does not answer.
        """
        ray, since, told = self.ray, time.monotonic(), False
        while True:
            if asked := [*pending, *self.starting]:
                found, _ = ray.wait(asked, num_returns=1, timeout=ASK)
            else:  # all are lost, and the processors of some may be there still
                time.sleep(ASK)
                found = []
            if time.monotonic() > self.looked + ASK:
                self._look()
            if found:
                return found[0]
            if self.actors or time.monotonic() < since + WAIT:
                continue
            since, has = time.monotonic(), ray.cluster_resources()
            if not has.get("CPU") and not (wants_gpu(self.task) and has.get("GPU")):
                what = f"the Ray cluster has had no processor for {WAIT:.0f} s"
                raise InputError(what, remedy=REMEDY)
            if not told:
                print("waiting for a processor of the Ray cluster", file=sys.stderr)
                told = True

    def _look(self) -> None:
        """See whether the head is there, for which Ray waits a minute; and what nodes have come."""
        if "/" not in os.environ["RAY_ADDRESS"]:  # else it is not asked directly
            address = self.ray.get_runtime_context().gcs_address
            host, _, port = address.rpartition(":")
            try:
                socket.create_connection((host.strip("[]"), int(port)), ASK).close()
            except OSError as error:
                what = f"the head of the Ray cluster is gone ({address}: {error})"
                raise InputError(what, remedy=REMEDY) from None
        self._grow()
        self.looked = time.monotonic()

    def _begun(self, finished: Any) -> None:
        """An actor has loaded its models, or needs the driver's files, or was lost before that."""
        ray, actor = self.ray, self.starting.pop(finished)
        try:
            missing = ray.get(finished)
        except ray.exceptions.RayError as error:
            told = isinstance(error, ray.exceptions.RayTaskError)
            if told and isinstance(error.cause, InputError):
                raise error.cause from None
            if told or getattr(error, "actor_init_failed", False):  # the last line is the error
                _, _, said = str(error).strip().rpartition("\n")
                what = f"a worker of the Ray cluster could not start: {said}"
                raise InputError(what, remedy="install the same ecqg on every node") from error
            self.failing = self.failing or time.monotonic()
            if time.monotonic() < self.failing + WAIT:  # Ray may take a lost node for there as long
                self.places -= 1
            elif not self.actors and not self.starting:
                said = _first_line(error)
                what = f"all workers of the Ray cluster are lost at their start ({said})"
                raise InputError(what, remedy=REMEDY) from None
            return
        if not missing:
            self.actors.append(actor)
            self.failing = 0.0
            return
        paths = dict(paths_of(self.task))
        self.packed.update({n: pack(paths[n], ray.put) for n in missing if n not in self.packed})
        self.starting[self.load(actor)] = actor

    def _lost(self, lost: Any, pending: dict[Any, _Block], error: Exception) -> list[_Block]:
        """What an actor had, for others to do. It was at the first, which may have killed it."""
        held = [one for one in pending.values() if one.actor is lost]
        for one in held:
            del pending[one.reference]
        held[0].attempts += 1
        self.actors = [actor for actor in self.actors if actor is not lost]
        with suppress(Exception):  # it may be out of reach only
            self.ray.kill(lost)
        if held[0].attempts == ATTEMPTS:
            raise give_up(self.task, held[0].block, _first_line(error))
        self.places -= 1
        return held
