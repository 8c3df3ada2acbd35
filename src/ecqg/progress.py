"""Progress with time left, on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
_silent: ContextVar[bool] = ContextVar("silent", default=False)


class _Lines:
    """Standard error for bars where it is no terminal: each of their states is a line."""

    def write(self, text: str) -> None:
        if state := text.strip():
            sys.stderr.write(f"{state}\n")

    def flush(self) -> None:
        sys.stderr.flush()


@contextmanager
def silence() -> Iterator[None]:
    """Show no bars: for work on a single text, which takes no time."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def track(
    items: Iterable[T],
    what: str,
    *,
    total: int | None = None,
    done: int = 0,
    unit: str = "it",
    size: Callable[[T], int] | None = None,
    note: Callable[[], str] | None = None,
) -> Iterator[T]:
    """Yield `items` while a bar shows the share done, the rate and the time left.

    `size` says how many units an item is, where that is not one; `note` what stands at the bar's
    end, such as a loss; it is called after every item. `done` of `total` units came in an earlier
    run and are not among `items`.
    Where standard error is no terminal (a log, CI) a line at the beginning, one a minute and one at
    the end take the bar's place, or one a second where ECQG_BARS=log says that somebody shows the
    log's last line.
    """
    from tqdm import tqdm

    from ecqg.errors import printable

    if total is None and isinstance(items, Sized):
        total = len(items)

    terminal = sys.stderr.isatty()
    seconds = 0.2 if terminal else 1 if os.environ.get("ECQG_BARS") == "log" else 60
    with tqdm(
        desc=printable(what),  # it may name a folder
        total=total,
        initial=done,
        unit=unit,
        mininterval=seconds,
        # Not as many as went by in an interval so far: work that an earlier run did goes by fast.
        miniters=1,
        dynamic_ncols=terminal,
        file=None if terminal else _Lines(),
        bar_format=None
        if terminal
        else "{l_bar} {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}{postfix}]",
        leave=True,
        disable=_silent.get(),
    ) as bar:
        for item in items:
            yield item
            if note is not None:
                bar.set_postfix_str(printable(note()), refresh=False)
            bar.update(size(item) if size else 1)
