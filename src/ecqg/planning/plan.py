"""What is to be done, what each stage will take, and when all of it is done."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ecqg.checking import read_yaml
from ecqg.closure import FIRST, outdated
from ecqg.errors import InputError
from ecqg.params import Params
from ecqg.planning.costs import COSTS, WORK, Kind
from ecqg.planning.sizes import Assumed, Sizes, sizes_of
from ecqg.planning.space import DISK, MEMORY, MEMORY_ON_GPU, SCRATCH
from ecqg.processes import SPREAD

REFERENCE = Path(__file__).with_name("reference.yaml")
GPU = Path(__file__).with_name("gpu.yaml")
MIB = 2**20
LEAST = 200.0  # MiB of a process that imports little
# Whose work several processes share, and nodes (ecqg.parallel).
MAPS = (
    *SPREAD,
    "collection",
    "entities",
    "negatives-gold",
    "negatives-synthetic",
)


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a stage of a group took on the machine that was measured."""

    fixed: float  # seconds, and those of a unit (costs.py)
    unit: float = 0.0
    memory: float = 0.0  # MiB at most
    held: float = 0.0  # MiB of it that space.py explains
    disk: float = 0.0  # bytes of outputs, of a unit where space.py has units


class Gpu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A GPU that was measured: units a second by kind of work (costs.py) and precision."""

    about: str
    rates: dict[str, dict[str, float]]

    def rate(self, group: str, params: Params) -> float:
        """Of a stage."""
        work, section = WORK[group]
        of = self.rates[work]
        precision = getattr(params, section).precision if section else "fp32"
        return of[precision]


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measured run: what its machine does in a second, and what its stages took."""

    about: str
    speed: dict[str, float]
    stages: dict[str, Cost]


@dataclass(frozen=True)
class Machine:
    """Rates by kind (ecqg.planning.speed); how many stages run side by side; its GPUs."""

    speed: Mapping[str, float]
    jobs: int
    gpus: int = 0  # of a node; 0: as it was measured
    nodes: int = 1
    threads: int = 1  # of a stage on each node, which do a map's blocks side by side


@dataclass(frozen=True)
class Planned:
    """A stage."""

    name: str
    done: bool
    seconds: float
    kind: Kind
    memory: float = 0.0  # MiB
    disk: float = 0.0  # MiB
    needs: list[str] = field(default_factory=list)


def read_reference() -> Reference:
    """The measured run that comes with the package."""
    return msgspec.convert(read_yaml(REFERENCE), Reference, strict=True)


@cache
def read_gpu() -> Gpu:
    """The measured GPU that comes with the package."""
    return msgspec.convert(read_yaml(GPU), Gpu, strict=True)


def seconds(
    name: str, params: Params, sizes: Sizes, reference: Reference, machine: Machine
) -> tuple[float, Kind]:
    """What a stage will take, and of which kind its work is."""
    group, first, second = split(name)
    cost = reference.stages.get(group, Cost(1.0))
    kind: Kind = "text"
    count = 0.0
    if group in COSTS:
        kind, units = COSTS[group]
        count = units(params, sizes, first, second)
    fixed = cost.fixed * reference.speed["text"] / machine.speed["text"]
    nodes, threads = (machine.nodes, machine.threads) if group in MAPS else (1, 1)
    if kind == "model" and machine.gpus:
        spread = max(1, machine.gpus * machine.nodes // machine.jobs) if group in MAPS else 1
        return fixed + count / read_gpu().rate(group, params) / spread, kind
    slower = reference.speed[kind] / machine.speed[kind]
    return fixed + cost.unit * count * slower / (nodes * threads), kind


def space(
    name: str, params: Params, sizes: Sizes, reference: Reference, gpus: int = 0
) -> tuple[float, float]:
    """MiB of memory that a stage will hold at most, and MiB that it writes, scratch included."""
    group, first, second = split(name)
    cost = reference.stages.get(group, Cost(1.0))
    of = (params, sizes, first, second)
    held = (MEMORY_ON_GPU if gpus and group in MEMORY_ON_GPU else MEMORY).get(group)
    memory = cost.memory - cost.held + (held(*of) / MIB if held else 0.0)
    units = DISK[group](*of) if group in DISK else 1.0
    scratch = SCRATCH[group](*of) if group in SCRATCH else 0.0
    return max(memory, LEAST), (cost.disk * units + scratch) / MIB


def expectation(params: Params) -> Callable[[str], float] | None:
    """Seconds of a stage on the measured machine; None where rows cannot be counted yet."""
    reference = read_reference()
    machine = Machine(reference.speed, 1)
    try:
        sizes = sizes_of(params)
    except InputError:
        return None
    return lambda name: seconds(name, params, sizes, reference, machine)[0]


def split(name: str) -> tuple[str, str, str]:
    """A stage's group, its item, and its collection.

    >>> split("encode@dpr-main"), split("select@conditioned"), split("check")
    (('encode', 'dpr', 'main'), ('select', 'conditioned', ''), ('check', '', ''))
    """
    group, _, item = name.partition("@")
    first, _, second = item.partition("-")
    return group, first, second


def plan(
    stages: Sequence[tuple[Any, list[str]]],
    params: Params,
    machine: Machine,
    assumed: Assumed | None = None,
) -> list[Planned]:
    """What each of DVC's stages, in an order in which they can run, will take.

    One that needs one which is to be done is to be done, too. But all need the first stage, which
    any parameter changes and which gives others nothing but listings of code: it counts for those
    whose listing would be another one.
    """
    sizes, reference, codes = sizes_of(params, assumed), read_reference(), outdated()
    found: dict[str, Planned] = {}
    for stage, needs in stages:
        took, kind = seconds(stage.addressing, params, sizes, reference, machine)
        same = not any(str(dep) in codes for dep in stage.deps)
        before = (found[need].done for need in needs if need != FIRST)
        done = same and all(before) and not stage.changed()
        takes = space(stage.addressing, params, sizes, reference, machine.gpus)
        found[stage.addressing] = Planned(stage.addressing, done, took, kind, *takes, list(needs))
    return list(found.values())


def wall(planned: Sequence[Planned], machine: Machine) -> tuple[float, float]:
    """Seconds until all is done where as many stages as there are jobs run side by side.

    And the most memory that those hold together, MiB. Stages that share a GPU are not done before
    it has done the work of both.
    """
    left = {one.name: one for one in planned if not one.done}
    waits = {name: {n for n in one.needs if n in left} for name, one in left.items()}
    running: list[tuple[float, str]] = []
    now = most = 0.0
    while waits or running:
        ready = sorted((n for n, of in waits.items() if not of), key=lambda n: -left[n].seconds)
        while ready and len(running) < machine.jobs:
            name = ready.pop(0)
            del waits[name]
            heapq.heappush(running, (now + left[name].seconds, name))
        most = max(most, sum(left[name].memory for _, name in running))
        now, name = heapq.heappop(running)
        for of in waits.values():
            of.discard(name)
    if machine.gpus:
        by_gpu = sum(one.seconds for one in left.values() if one.kind == "model")
        now = max(now, by_gpu / (machine.gpus * machine.nodes))
    return now, most
