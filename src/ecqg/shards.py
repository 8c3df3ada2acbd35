"""Partial results of long work, saved in files, so that what was interrupted can resume."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from ecqg.files import check_stamp, read_jsonl, stamped, write_jsonl
from ecqg.processes import in_blocks
from ecqg.progress import track

SECONDS = 5  # from one file to the next: so much work a kill can undo

T = TypeVar("T")
R = TypeVar("R")
Batch: TypeAlias = tuple[list[int], list[R]]  # places in a block, results there


def map_blocks(folder: Path | None, items: Iterable[T], work: Callable[[T], R]) -> Iterator[R]:
    """Yield `work(item)` of each item in order, without doing again what `folder` has.

    Every SECONDS, and at the end, the results since the last time become a file of the folder
    (one in that of ecqg.resume.resumable, which tells whether it is the same work). Where files
    end depends on the clock, what they hold together does not: work that was stopped yields what it
    would have. `items` must be the same at every start. Results are JSON values: lists, no
    tuples; NaN and infinities come back as they were. Without a folder nothing is stored. Raises
    InputError for a file that is not as it was written.
    """
    return map_rest(folder, items, partial(map, work))


def map_rest(
    folder: Path | None, items: Iterable[T], mapped: Callable[[Iterator[T]], Iterator[R]]
) -> Iterator[R]:
    """The same, where `mapped` gives the results of all items that are left, in order.

    As `ecqg.parallel.pool.run` does, which has several of them done at a time.
    """
    rest, done = iter(items), 0
    for result in _stored(folder):
        next(rest)
        yield result
        done += 1
    yield from _store(folder, done, mapped(rest))


def stream_blocks(
    folder: Path | None,
    items: Iterable[T],
    size: int,
    mapped: Callable[[Iterator[T]], Iterator[R]],
) -> Iterator[R]:
    """Yield the results of `mapped`, a stream such as that of several processes.

    It gets the items that are left, from the first of a block of `size` on. Otherwise as
    `map_rest`.
    """

    def blocks(rest: Iterator[list[T]]) -> Iterator[list[R]]:
        return in_blocks(mapped(chain.from_iterable(rest)), size)

    return chain.from_iterable(map_rest(folder, in_blocks(items, size), blocks))


def map_batches(
    folder: Path | None,
    total: int,
    size: int,
    batches_after: Callable[[int, int], Iterator[Batch[R]]],
    what: str = "",
    unit: str = "it",
) -> Iterator[R]:
    """Yield the result of each of `total` items in order, of which whole blocks come at a time.

    For work that takes the items of a block of `size` in batches, in an order of its own: what is
    stored, and what a bar called `what` shows, is batches. `batches_after(b, n)` are those from the
    n-th of block b on, a batch being places in its block and the results of the items there; it is
    called once, or never if nothing is left to do. Otherwise as `map_blocks`.
    """

    def batches() -> Iterator[Batch[R]]:
        done = blocks = held = in_block = 0
        for places, results in _stored(folder):
            yield places, results
            done, held, in_block = done + 1, held + len(places), in_block + 1
            if held == min(size, total - blocks * size):
                blocks, held, in_block = blocks + 1, 0, 0
        if blocks * size < total:
            yield from _store(folder, done, batches_after(blocks, in_block))

    stream = batches()
    if what:
        stream = track(stream, what, total=total, unit=unit, size=lambda batch: len(batch[0]))
    for begin in range(0, total, size):
        count = min(size, total - begin)
        found: dict[int, R] = {}
        while len(found) < count:
            found.update(zip(*next(stream), strict=True))
        yield from (found[place] for place in range(count))
    deque(stream, maxlen=0)  # what it does at its end


def _stored(folder: Path | None) -> Iterator[Any]:
    """The results that are in a folder, in order. Raises InputError where a file is damaged."""
    done = 0
    for file in sorted(folder.glob("*.jsonl")) if folder else ():
        check_stamp(file, _after(done, file.parent), f"delete the folder {folder}")
        for record in read_jsonl(file):
            yield record["result"]
            done += 1


def _store(folder: Path | None, done: int, results: Iterable[R]) -> Iterator[R]:
    """Yield `results`, which come after the first `done`, and write them to a folder, if any."""
    if folder is None:
        yield from results
        return
    folder.mkdir(parents=True, exist_ok=True)
    fresh: list[R] = []
    since = time.monotonic()
    for result in results:
        fresh.append(result)
        if time.monotonic() - since >= SECONDS:
            _write(folder, done, fresh)
            done, fresh, since = done + len(fresh), [], time.monotonic()
        yield result
    if fresh:
        _write(folder, done, fresh)


def _write(folder: Path, done: int, results: list[R]) -> None:
    """Write the results that come after the first `done`."""
    file = folder / f"{done:09d}.part"
    write_jsonl(file, ({"result": result} for result in results))
    file.rename(stamped(_after(done, folder), file))


def _after(done: int, folder: Path) -> Path:
    """The file of results that come after the first `done`, but for its stamp."""
    return folder / f"{done:09d}.jsonl"
