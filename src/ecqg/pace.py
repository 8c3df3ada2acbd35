"""How often to write what a stopped stage goes on from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 60.0  # from one writing to the next


class Pace:
    """Says when to write: once a minute, and for a sixtieth of the time at most.

    What takes longer than a second to write is written as many times more rarely.
    """

    def __init__(self) -> None:
        self._slow = 1.0
        self.restart()

    def restart(self) -> None:
        """Count the time from now."""
        self._since = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to write."""
        return time.monotonic() - self._since >= SECONDS * self._slow

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The block writes; count the time from its end."""
        begun = time.monotonic()
        yield
        self.restart()
        self._slow = max(1.0, self._since - begun)
