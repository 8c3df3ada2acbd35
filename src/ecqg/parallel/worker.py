"""An actor on a Ray cluster: it loads a task's models once, and then does its blocks."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ecqg import closure
from ecqg.closure import versions
from ecqg.errors import InputError
from ecqg.parallel.copies import Copies, sees
from ecqg.parallel.task import Task, moved, paths_of
from ecqg.resume import digest
from ecqg.space import explain_full_disk


class Worker:
    """An actor. It runs where this package is installed in the driver's version."""

    def load(
        self, task: Task[Any, Any], states: dict[str, str], version: str, packed: dict[str, Any]
    ) -> list[str]:
        """Load the models; or say which of the task's paths would have to be among those `packed`.

        `states` are those of its paths, `packed` has references to parts in Ray's store. Raises
        InputError for another version, or a disk that is full here.
        """
        if version != version_of(task):
            what = f"node {socket.gethostname()} has another version of ecqg or of its libraries"
            raise InputError(what, remedy="install the same ecqg on every node")
        import ray

        with _explained():
            paths = dict(paths_of(task))
            unseen = [name for name, path in paths.items() if not sees(path, states[name])]
            if missing := [name for name in unseen if name not in packed]:
                return missing
            self._copies = Copies()
            for name in unseen:
                parts = partial(map, ray.get, packed[name])
                paths[name] = self._copies.take(states[name], parts)
            self._do: Callable[[Any], Any] = moved(task, paths).start()
            return []

    def leave(self) -> None:
        """Give back the copies."""
        self._copies.leave()

    def do(self, block: Any) -> Any:
        """A block's result."""
        with _explained():
            return self._do(block)


@contextmanager
def _explained() -> Iterator[None]:
    """Say of a full disk on which node it is: the driver would look at its own."""
    try:
        yield
    except Exception as error:
        if isinstance(error, InputError) or (full := explain_full_disk(error)) is None:
            raise
        what, _, remedy = str(full).rpartition("; ")
        raise InputError(f"node {socket.gethostname()}: {what}", remedy=remedy) from None


def version_of(task: Task[Any, Any]) -> str:
    """What a task runs with: the code that its module imports of this package, and libraries."""
    module = Path(sys.modules[type(task).__module__].__file__ or "")
    return digest([], [closure.digest(file) for file in closure.files(module)], versions())
