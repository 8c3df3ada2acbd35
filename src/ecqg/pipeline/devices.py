"""Which GPUs a stage has while it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition

from ecqg.errors import InputError


class Devices:
    """GPUs that are given out to stages, each to one at a time while there are enough."""

    def __init__(self, names: Sequence[str], jobs: int) -> None:
        """With more `jobs` at a time than GPUs, several stages share one."""
        each = -(-jobs // len(names)) if names else 0
        self._free = Counter(dict.fromkeys(names, each))
        self._names = list(names)
        self._changed = Condition()
        self._closed = False

    @contextmanager
    def take(self, wanted: int | None = 1) -> Iterator[list[str]]:
        """Wait for so many GPUs, all of them where there are fewer, and hold them.

        None takes one, and all others that are free. Yields their names; none where there are no
        GPUs. Raises InputError after `close`.
        """
        least = min(1 if wanted is None else wanted, len(self._names))
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._least_used()) >= least)
            if self._closed:
                raise InputError("the run was stopped", remedy="start it again: it goes on")
            taken = self._least_used()[: None if wanted is None else least]
            self._free.subtract(taken)
        try:
            yield sorted(taken, key=self._names.index)
        finally:
            with self._changed:
                self._free.update(taken)
                self._changed.notify_all()

    def close(self) -> None:
        """Give out none any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _least_used(self) -> list[str]:
        """Those that have room, the ones with most of it first."""
        free = [name for name in self._names if self._free[name] > 0]
        return sorted(free, key=lambda name: -self._free[name])
