"""Blocks done here, by processes, and by processes that die: the same results, in order."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from squares import Squares, blocks, expected, make

from ecqg.errors import InputError
from ecqg.parallel.pool import run


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order(tmp_path: Path, workers: int) -> None:
    task = make(tmp_path)
    assert list(run(task, blocks(40), workers, first=0)) == expected(40)


def test_little_work_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ecqg.parallel.pool.ProcessPoolExecutor", None)
    assert list(run(make(tmp_path), blocks(40), 2)) == expected(40)


def test_what_a_lost_process_had_is_done_again(tmp_path: Path) -> None:
    task = make(tmp_path, dies=((31, 2), (70, 1)))
    assert list(run(task, blocks(40), 2, first=0)) == expected(40)
    assert not list((tmp_path / "marks").iterdir())


def test_a_block_that_kills_three_times_is_named(tmp_path: Path) -> None:
    task = make(tmp_path, dies=((31, 4),))  # first beside others, three times alone
    name = next(task.name(block) for block in blocks(40) if 31 in block)
    with pytest.raises(InputError, match=f"a worker was lost 3 times at {name}"):
        list(run(task, blocks(40), 2, first=0))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_task_says_is_said(tmp_path: Path, workers: int) -> None:
    with pytest.raises(InputError, match="50 is bad; give another"):
        list(run(make(tmp_path, fails=50), blocks(40), workers, first=0))


@pytest.mark.slow
def test_this_process_is_one_of_the_workers(tmp_path: Path) -> None:
    task = make(tmp_path, seconds=0.02, dies=((100, 1),))  # in the other one, or not at all
    mine: list[list[int]] = []

    def here(block: list[int]) -> tuple[list[int], str]:
        mine.append(block)
        return Squares(task.folder, seconds=task.seconds).start()(block)

    assert list(run(task, blocks(600), 2, here=here, first=0.1)) == expected(600)
    before = next(i for i, (a, b) in enumerate(itertools.pairwise(mine)) if b[0] - a[0] > 3) + 1
    assert 5 <= before < 500  # it went on while the other one started
    assert before + 20 < len(mine) < 580


def test_an_error_of_this_process_comes_in_its_turn(tmp_path: Path) -> None:
    task = make(tmp_path)
    here = Squares(task.folder, fails=50).start()
    stream = run(task, blocks(40), 2, here=here, first=1e-9)
    assert list(itertools.islice(stream, 16)) == expected(16)
    with pytest.raises(InputError, match="50 is bad"):
        next(stream)


def test_blocks_are_drawn_as_they_are_needed(tmp_path: Path) -> None:
    drawn = itertools.count()
    stream = run(make(tmp_path), ([next(drawn)] for _ in itertools.repeat(None)), 2, first=0)
    assert [next(stream)[0] for _ in range(5)] == [[0], [1], [4], [9], [16]]
    stream.close()  # type: ignore[attr-defined]
    assert next(drawn) < 30
