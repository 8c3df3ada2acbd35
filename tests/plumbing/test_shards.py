"""Work that is stopped anywhere goes on where it was, and yields what it would have."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg import shards
from ecqg.errors import InputError
from ecqg.files import sha256
from ecqg.shards import (
    Batch,
    map_batches,
    map_blocks,
    stream_blocks,
)


def worth(item: int) -> list[float]:
    return [item, item / 7, [math.nan, math.inf, -math.inf][item % 3]]


def start(folder: Path | None, items: int, most: int) -> tuple[list[list[float]], list[int]]:
    """What comes out, and what is worked on, until `most` items are done."""
    worked: list[int] = []

    def work(item: int) -> list[float]:
        if len(worked) == most:
            raise KeyboardInterrupt
        worked.append(item)
        return worth(item)

    out: list[list[float]] = []
    try:
        out.extend(map_blocks(folder, iter(range(items)), work))
    except KeyboardInterrupt:
        assert len(worked) == most
    return out, worked


@given(st.integers(0, 12), st.lists(st.integers(0, 5), max_size=4))
def test_nothing_is_lost_and_nothing_is_done_twice(
    tmp_path_factory: pytest.TempPathFactory, items: int, stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    done: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SECONDS", 0)
        for most in stops:
            done += start(folder / "a", items, most)[1]
        out, worked = start(folder / "a", items, items)
    assert done + worked == list(range(items))
    assert repr(out) == repr(start(None, items, items)[0])  # NaN is not equal to itself
    again, worked = start(folder / "a", items, 0)  # the last file was written too
    assert repr(again) == repr(out)
    assert worked == []


@given(st.integers(0, 20), st.integers(1, 6), st.lists(st.integers(0, 9), max_size=4))
def test_a_stream_is_taken_up_at_the_end_of_a_block(
    tmp_path_factory: pytest.TempPathFactory, length: int, size: int, stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    left: list[list[int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SECONDS", 0)
        done = 0
        for most in [*stops, length]:

            def results(items: Iterator[int], most: int = most) -> Iterator[list[float]]:
                left.append(list(items))
                for number, item in enumerate(left[0]):
                    if number == most:
                        raise KeyboardInterrupt
                    yield worth(item)

            left.clear()
            out: list[list[float]] = []
            with suppress(KeyboardInterrupt):
                out.extend(stream_blocks(folder / "a", range(length), size, results))
            assert left == [list(range(done, length))]
            done = min(length, done + most // size * size) if done + most < length else length
    assert repr(out) == repr([worth(item) for item in range(length)])


@given(
    st.integers(0, 20),
    st.integers(1, 7),
    st.integers(1, 3),
    st.lists(st.integers(0, 4), max_size=4),
)
def test_of_blocks_no_batch_is_worked_on_twice(
    tmp_path_factory: pytest.TempPathFactory, length: int, size: int, width: int, stops: list[int]
) -> None:
    """Items come in their order though batches take those of a block from its end on."""
    folder = tmp_path_factory.mktemp("shards")
    worked: list[list[int]] = []

    def after(blocks: int, batches: int) -> Iterator[Batch[list[float]]]:
        for begin in range(blocks * size, length, size):
            places = list(range(min(size, length - begin)))[::-1]
            every = [places[i : i + width] for i in range(0, len(places), width)]
            for batch in every[batches if begin == blocks * size else 0 :]:
                if left[0] == 0:
                    raise KeyboardInterrupt
                left[0] -= 1
                worked.append([begin + place for place in batch])
                yield batch, [worth(begin + place) for place in batch]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SECONDS", 0)
        for most in [*stops, 1000]:
            left = [most]
            out: list[list[float]] = []
            with suppress(KeyboardInterrupt):
                out.extend(map_batches(folder / "a", length, size, after))
            assert repr(out) == repr([worth(item) for item in range(len(out))])
    assert len(out) == length
    assert sorted(item for batch in worked for item in batch) == list(range(length))
    worked.clear()
    assert repr(list(map_batches(None, length, size, after))) == repr(out)
    worked.clear()
    assert repr(list(map_batches(folder / "a", length, size, after))) == repr(out)
    assert worked == []


def test_a_file_every_few_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 2, 4, 5, 5, 7, 9, 9.9, 10.1, 10.1])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    out, _ = start(tmp_path, 8, 7)
    assert len(out) == 7
    names = sorted(p.name for p in tmp_path.iterdir())
    digests = [sha256(tmp_path / name)[:16] for name in names]
    assert names == [f"000000000-{digests[0]}.jsonl", f"000000003-{digests[1]}.jsonl"]
    assert [len((tmp_path / name).read_text().splitlines()) for name in names] == [3, 4]


def test_a_damaged_or_missing_file_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    assert list(map_blocks(folder, range(3), lambda n: n)) == [0, 1, 2]
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes().replace(b"1", b"2"))
    with pytest.raises(InputError, match=r"kept/000000000-.*: is not what was written"):
        list(map_blocks(folder, range(3), lambda n: n))
    file.rename(folder / file.name.replace("000000000", "000000001"))
    with pytest.raises(InputError, match="is not what was written: it is damaged; delete the fol"):
        list(map_blocks(folder, range(3), lambda n: n))


SLOW = """
import sys, time
from pathlib import Path
from ecqg import shards
shards.SECONDS = 0
def work(item):
    time.sleep(0.02)
    return [item, item / 7]
for _ in shards.map_blocks(Path(sys.argv[1]), range(40), work):
    print(flush=True)
"""


def test_a_killed_process_leaves_whole_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SLOW, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(5):
            process.stdout.readline()
        process.kill()
    assert process.returncode == -signal.SIGKILL
    worked: list[int] = []

    def work(item: int) -> list[float]:
        worked.append(item)
        return [item, item / 7]

    assert list(map_blocks(tmp_path, range(40), work)) == [[i, i / 7] for i in range(40)]
    assert 0 < len(worked) <= 35
