"""Work in processes: order, errors, and how far ahead it is given out."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import psutil
import pytest

from ecqg.errors import InputError
from ecqg.parallel.pool import AHEAD, run
from ecqg.parallel.task import Task
from ecqg.processes import in_blocks, in_threads


@dataclass(frozen=True)
class Call(Task[Any, Any]):
    """A function of this module."""

    function: Callable[[Any], Any]

    def start(self) -> Callable[[Any], Any]:
        return self.function


def in_processes(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    return run(Call(function), items, 2, first=0)


def slow_where_even(number: int) -> tuple[int, int, str | None]:
    time.sleep(0.05 * (number % 2 == 0))
    return number, os.getpid(), os.environ.get("OMP_NUM_THREADS")


def refuse_three(number: int) -> int:
    if number == 3:
        raise InputError("three", remedy="take another")
    return number


def test_results_come_in_order_from_processes_of_one_thread() -> None:
    found = list(in_processes(slow_where_even, range(12)))
    assert [number for number, _, _ in found] == list(range(12))
    pids = {pid for _, pid, _ in found}
    assert len(pids) == 2 and os.getpid() not in pids
    assert {threads for _, _, threads in found} == {"1"}


def test_an_error_is_raised_at_its_place() -> None:
    found = in_processes(refuse_three, range(9))
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match="three; take another"):
        next(found)


def test_an_endless_stream_is_taken_a_few_items_ahead() -> None:
    taken = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield taken[-1]

    found = in_processes(refuse_three, endless())
    assert next(found) == 0
    assert len(taken) == 2 * AHEAD
    found.close()


def test_threads_give_results_in_order_and_are_a_few_items_ahead() -> None:
    taken = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield taken[-1]

    found = in_threads(slow_where_even, endless(), workers=2)
    results = [next(found) for _ in range(6)]
    found.close()
    assert [number for number, _, _ in results] == list(range(6))
    assert {process for _, process, _ in results} == {os.getpid()}
    assert len(taken) == 6 + 2
    with pytest.raises(InputError, match="three; take another"):
        list(in_threads(refuse_three, range(9), workers=2))


def until_killed(pipe: Connection) -> None:
    for _, process, _ in in_processes(slow_where_even, iter(int, 1)):
        pipe.send(process)


@pytest.mark.slow
def test_processes_end_with_one_that_is_killed() -> None:
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    parent = spawn.Process(target=until_killed, args=(theirs,))
    parent.start()
    workers = {psutil.Process(ours.recv()) for _ in range(8)}
    parent.kill()
    parent.join()
    assert len(workers) == 2
    _, left = psutil.wait_procs(workers, timeout=20)
    assert not [process for process in left if process.status() != psutil.STATUS_ZOMBIE]


def test_blocks() -> None:
    assert list(in_blocks(iter(range(7)), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(in_blocks([], 3)) == []
