"""Which stage may run next: those whose dependencies are done, the one that most wait for first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from graphlib import TopologicalSorter


class Schedule:
    """Stages in an order that keeps several workers busy."""

    def __init__(self, dependencies: Mapping[str, Set[str]], targets: Iterable[str] = ()) -> None:
        """`dependencies` map each stage to the stages it needs; no targets means all stages.

        Raises KeyError for a target or a dependency that is no stage, graphlib.CycleError for
        a cycle.
        """
        wanted = _with_upstream(dependencies, targets or dependencies)
        self._sorter = TopologicalSorter({name: dependencies[name] for name in wanted})
        self._sorter.prepare()
        self._weights = _depths(dependencies, wanted)
        self._ready: set[str] = set()
        self.total = len(wanted)

    def __bool__(self) -> bool:
        """Whether any stage is not done."""
        return self._sorter.is_active()

    def next(self) -> str | None:
        """A stage to start now, or None until `done` is told of another one."""
        self._ready.update(self._sorter.get_ready())
        if not self._ready:
            return None
        name = max(self._ready, key=lambda n: (self._weights[n], n))
        self._ready.remove(name)
        return name

    def done(self, name: str) -> None:
        """The stage has ended well."""
        self._sorter.done(name)


def _with_upstream(dependencies: Mapping[str, Set[str]], targets: Iterable[str]) -> set[str]:
    found: set[str] = set()
    stack = list(targets)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += dependencies[name]
    return found


def _depths(dependencies: Mapping[str, Set[str]], wanted: Set[str]) -> dict[str, int]:
    """How many stages the longest chain has that begins with each."""
    depths = dict.fromkeys(wanted, 1)
    order = TopologicalSorter({name: dependencies[name] for name in wanted}).static_order()
    for name in reversed(list(order)):
        for needed in dependencies[name]:
            depths[needed] = max(depths[needed], depths[name] + 1)
    return depths
