"""How often to write what a stopped stage goes on from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 5.0  # from one writing to the next
SHARE = 60  # of the time, at most one part goes to writing


class Pace:
    """Says when to write: every SECONDS, and for a sixtieth of the time at most."""

    def __init__(self) -> None:
        self._wait = SECONDS
        self.restart()

    def restart(self) -> None:
        """Count the time from now."""
        self._since = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to write."""
        return time.monotonic() - self._since >= self._wait

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The block writes; count the time from its end."""
        begun = time.monotonic()
        yield
        self.restart()
        self._wait = max(SECONDS, SHARE * (self._since - begun))
