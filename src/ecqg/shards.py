"""Results of long work, piece by piece, in files that its next start takes up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, tee
from pathlib import Path
from typing import TypeVar

from ecqg.files import read_jsonl, write_jsonl

SECONDS = 60  # from one file to the next

T = TypeVar("T")
R = TypeVar("R")


def in_shards(folder: Path | None, items: Iterable[T], work: Callable[[T], R]) -> Iterator[R]:
    """Yield `work(item)` of each item in order, without doing again what `folder` has.

    Once a minute, and at the end, the results since the last time become a file of the folder
    (one in that of ecqg.resume.resumable, which tells whether it is the same work). Where files
    end hangs on the clock, what they hold together does not: work that was stopped yields what it
    would have. `items` must be the same at every start. Results are JSON values: lists, no
    tuples; NaN and infinities come back as they were. Without a folder nothing is kept.
    """
    rest = iter(items)
    if folder is None:
        yield from map(work, rest)
        return
    folder.mkdir(parents=True, exist_ok=True)
    done = 0
    for file in sorted(folder.glob("*.jsonl")):
        for record in read_jsonl(file):
            next(rest)
            yield record["result"]
            done += 1
    fresh: list[R] = []
    since = time.monotonic()
    for item in rest:
        result = work(item)
        fresh.append(result)
        if time.monotonic() - since >= SECONDS:
            done, fresh, since = _write(folder, done, fresh), [], time.monotonic()
        yield result
    if fresh:
        _write(folder, done, fresh)


def stream_in_shards(
    folder: Path | None, length: int, size: int, results_after: Callable[[int], Iterator[R]]
) -> Iterator[R]:
    """Yield the `length` results of `results_after(0)`, without doing again what `folder` has.

    For work that takes results from a stream, such as that of several processes.
    `results_after(n)` are those after the first n, a multiple of `size`; it is called once, or
    never if nothing is left to do. Otherwise as `in_shards`.
    """
    rest: Iterator[R] | None = None

    def block(begin: int) -> list[R]:
        nonlocal rest
        if rest is None:
            rest = results_after(begin)
        return list(islice(rest, size))

    for results in in_shards(folder, range(0, length, size), block):
        yield from results


def blocks_in_shards(
    folder: Path | None, items: Iterable[T], size: int, work: Callable[[list[T]], list[R]]
) -> Iterator[tuple[T, R]]:
    """Yield each item with its result, where `work` takes `size` items at a time.

    Memory holds a block of items, and the results of a minute. Otherwise as `in_shards`.
    """
    rest = iter(items)
    blocks, ahead = tee(iter(lambda: list(islice(rest, size)), []))
    for block, results in zip(blocks, in_shards(folder, ahead, work), strict=True):
        yield from zip(block, results, strict=True)


def _write(folder: Path, done: int, results: list[R]) -> int:
    """Write the results that come after the first `done`; how many there are then."""
    write_jsonl(folder / f"{done:09d}.jsonl", ({"result": result} for result in results))
    return done + len(results)
