"""Which stage may run next: those whose dependencies are done, the one that most wait for first."""

from __future__ import annotations

from graphlib import TopologicalSorter
from typing import Any


class Schedule:
    """Stages in an order that keeps several workers busy."""

    def __init__(self, graph: Any) -> None:
        """`graph` is a networkx.DiGraph, without cycles, of edges from stages to what they need."""
        import networkx

        self._sorter = TopologicalSorter(graph.adj)
        self._sorter.prepare()
        self._ready: list[Any] = []
        # How many stages the longest chain has that waits for each, itself included.
        self._chains: dict[Any, int] = {}
        for stage in networkx.topological_sort(graph):
            users = (self._chains[user] for user in graph.predecessors(stage))
            self._chains[stage] = 1 + max(users, default=0)

    def next(self) -> Any | None:
        """A stage to start now, or None until `done` is told of another one."""
        self._ready += self._sorter.get_ready()
        if not self._ready:
            return None
        stage = max(self._ready, key=self._chains.__getitem__)
        self._ready.remove(stage)
        return stage

    def done(self, stage: Any) -> None:
        """The stage has ended well."""
        self._sorter.done(stage)
