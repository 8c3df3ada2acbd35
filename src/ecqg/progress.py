"""Progress with time left, on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def track(
    items: Iterable[T],
    what: str,
    *,
    total: int | None = None,
    done: int = 0,
    unit: str = "it",
    note: Callable[[], str] | None = None,
) -> Iterator[T]:
    """Yield `items` while a bar shows the share done, the rate and the time left.

    `note` says what stands at the bar's end, such as a loss; it is called after every item.
    `done` of `total` items came in an earlier run and are not among `items`.
    Where standard error is no terminal (a log, CI) a line a minute takes the bar's place, or one
    a second where ECQG_BARS=log says that somebody shows the log's last line.
    """
    from tqdm import tqdm

    terminal = sys.stderr.isatty()
    seconds = 0.2 if terminal else 1 if os.environ.get("ECQG_BARS") == "log" else 60
    bar = tqdm(
        items,
        desc=what,
        total=total,
        initial=done,
        unit=unit,
        mininterval=seconds,
        maxinterval=10 if seconds < 10 else seconds,
        dynamic_ncols=terminal,
        leave=True,
    )
    for item in bar:
        yield item
        if note is not None:
            bar.set_postfix_str(note(), refresh=False)
