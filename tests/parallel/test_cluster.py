"""A Ray cluster on the loopback: nodes of two processors and of one, which is killed half-way."""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from squares import START, Devices, Squares, blocks, expected, make

from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation.matching import Asked, Match
from ecqg.evaluation.runs import Ranking, parts, run_file, write_run
from ecqg.parallel import cluster as driver
from ecqg.parallel import pool
from ecqg.parallel.pool import CLUSTER, run

# Elsewhere than there Ray takes another address of the machine than the loopback's.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
cluster_utils = pytest.importorskip("ray.cluster_utils")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def both() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        here = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        patch.setenv("PYTHONPATH", os.pathsep.join(here))
        head = {"num_cpus": 0, "_system_config": {"health_check_period_ms": 1000}}
        made = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
        # The GPU is a number that Ray keeps: no device is behind it.
        made.workers = [made.add_node(num_cpus=2), made.add_node(num_cpus=1, num_gpus=1)]
        yield made
        made.shutdown()


@pytest.fixture
def cluster(both: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import ray

    monkeypatch.setenv(CLUSTER, both.address)
    yield both
    ray.shutdown()


def test_the_results_are_those_of_one_process(cluster: Any, tmp_path: Path) -> None:
    task = make(tmp_path, seconds=0.05)
    assert list(run(task, blocks(30))) == [*map(task.start(), blocks(30))] == expected(30)


def test_files_that_nodes_do_not_see_are_copied_once_a_machine(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = Path(tempfile.gettempdir(), f"ecqg-copies-{os.getuid()}")
    task = make(tmp_path, seconds=0.05)
    stream = run(task, blocks(30))
    assert next(stream) == expected(1)[0] and not [*copies.glob("*")]  # these see them
    stream.close()  # type: ignore[attr-defined]
    monkeypatch.setattr(driver, "state", lambda _: "that of no file here")
    stream = run(task, blocks(30))
    found = [next(stream)]
    assert sorted(path.name for path in copies.iterdir()) == [
        "that of no file here", "that of no file here.lock"
    ]  # fmt: skip
    assert found + list(stream) == expected(30)
    assert not [*copies.iterdir()]


def test_nothing_listens_beyond_the_loopback(cluster: Any, tmp_path: Path) -> None:
    stream = run(make(tmp_path), blocks(30))
    next(stream)
    this = psutil.Process()
    sockets = [s for p in (this, *this.children(recursive=True)) for s in p.net_connections()]
    listening = {socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN}
    assert listening and listening <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    list(stream)


def test_blocks_are_drawn_as_they_are_needed(cluster: Any, tmp_path: Path) -> None:
    drawn = itertools.count()
    stream = run(make(tmp_path), ([next(drawn)] for _ in itertools.repeat(None)))
    assert [next(stream)[0] for _ in range(5)] == [[0], [1], [4], [9], [16]]
    time.sleep(0.5)
    assert next(drawn) < 5 + 2 * driver.EACH * 3  # given out, and done before their turn
    stream.close()  # type: ignore[attr-defined]


def test_a_gpu_is_used_unless_the_driver_is_told_not_to(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ECQG_DEVICE", raising=False)
    assert set(run(Devices(), blocks(4))) == {("0", "")}
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    assert set(run(Devices(), blocks(4))) == {("", "cpu")}


def test_java_keeps_the_signal_that_it_lives_by(cluster: Any) -> None:
    """Where hard negatives are mined the driver has searched with Lucene before it connects."""
    script = """
import ctypes
from ecqg.lexical.java import java_class
from ecqg.parallel import cluster

def handler():
    found = (ctypes.c_void_p * 64)()  # a struct sigaction begins with the handler's address
    assert ctypes.CDLL(None).sigaction(11, None, found) == 0
    return found[0]

before = handler()
java_class("java.lang.String")
java = handler()
assert cluster._connect().is_initialized()
assert before != java == handler()
"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAY_DISABLE")}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=120)


def said(task: Squares, count: int = 30) -> str:
    """The error of a map, which must be one line."""
    with pytest.raises(InputError) as error:
        list(run(task, blocks(count)))
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def test_each_worker_that_is_lost_is_replaced(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "ASK", 0.2)
    task = make(tmp_path, seconds=0.05, dies=((31, 1), (46, 2), (61, 1)))  # more than there are
    assert list(run(task, blocks(30))) == expected(30)


def test_workers_that_are_lost_at_their_start_are_one_line(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "ASK", 0.2)
    monkeypatch.setattr(driver, "WAIT", 2.0)
    line = said(make(tmp_path, dies=((START, 99),)))
    assert line.startswith("all workers of the Ray cluster are lost at their start (")


def test_a_block_that_kills_three_times_is_named(cluster: Any, tmp_path: Path) -> None:
    line = said(make(tmp_path, seconds=0.05, dies=((31, 3),)))
    assert line.startswith("a worker was lost 3 times at numbers 30 to 32: ")


def test_what_the_task_says_is_said(cluster: Any, tmp_path: Path) -> None:
    assert said(make(tmp_path, fails=50)) == "50 is bad; give another"


def test_another_version_on_a_node_is_one_line(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "version_of", lambda _: "that of a changed driver")
    line = said(make(tmp_path))
    assert "has another version of ecqg or of its libraries; install the same ecqg on" in line


def test_a_full_disk_of_a_node_is_one_line(cluster: Any, tmp_path: Path) -> None:
    line = said(make(tmp_path, fails=50, error=errno.ENOSPC))
    assert line.startswith("node ") and ": the disk is full (" in line


def test_a_second_driver_waits_for_the_first(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(driver, "WAIT", 0.5)
    monkeypatch.setattr(driver, "ASK", 0.5)
    task = make(tmp_path)
    first, found = run(task, blocks(30)), []
    held = [next(first)]
    second = threading.Thread(target=lambda: found.extend(run(task, blocks(20))))
    second.start()
    told, until = "", time.monotonic() + 60
    while "waiting for a processor of the Ray cluster" not in told and time.monotonic() < until:
        time.sleep(0.1)
        told += capfd.readouterr().err
    assert "waiting" in told and not found
    assert held + list(first) == expected(30)
    second.join()
    assert found == expected(20)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "local", "nowhere"])
def test_no_cluster_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv(CLUSTER, address)
    assert said(make(tmp_path), 2).startswith(f"no Ray cluster at {address} (")


def test_short_work_is_done_here(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "run_on_cluster", None)
    assert list(run(make(tmp_path), blocks(30), first=60)) == expected(30)


def test_longer_work_goes_on_there(cluster: Any, tmp_path: Path) -> None:
    task = make(tmp_path, seconds=0.05)
    assert list(run(task, blocks(30), first=0.3)) == expected(30)


def test_runs_are_matched_there(cluster: Any, tmp_path: Path) -> None:
    store = [Passage(i, f"p{i}", "", f"It happened in {1800 + i}.", (0,)) for i in range(9)]
    write_passages(tmp_path / "passages.arrow", store)
    questions = {str(i): Question(str(i), f"when, {i}?", (str(1800 + i),)) for i in range(9)}
    names = tuple(f"p{i}" for i in range(9))
    file = run_file(tmp_path / "runs", "toy")
    write_run(file, [Ranking(i, names, (*range(9, 0, -1),)) for i in questions], "system")
    asked = Asked(questions, {"3": {"p2": 1, "p3": 1}}, {"3": "p2", "5": "p0"})
    task = Match(tmp_path / "passages.arrow", tmp_path / "runs", {"toy": asked})
    parts_of_run = [("toy", part) for part in parts(file, 200)]
    found = list(run(task, parts_of_run))
    assert found == [*map(task.start(), parts_of_run)]
    # One that is a passage itself has the others move up.
    ranks = [1, 2, 3, 4, 5, 5, 7, 8, 9]
    of_three = [("p2", 3), ("p3", 4)]
    assert list(itertools.chain(*found)) == [
        (str(i), rank, of_three if i == 3 else []) for i, rank in enumerate(ranks)
    ]


def test_the_cluster_of_this_machine_is_found(
    both: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    noted = tmp_path / "ray" / "ray_current_cluster"  # where 'ray start' notes it
    noted.parent.mkdir()
    used, me = [], os.getuid()
    for text, other in [
        ("", 0),
        ("127.0.0.1:1", 0),  # nobody answers
        ("nonsense", 0),
        (both.address, 1),
        (both.address, 0),
    ]:
        noted.write_text(text)
        monkeypatch.setattr(os, "getuid", lambda other=other: me + other)
        monkeypatch.delenv(CLUSTER)
        used.append((pool.cluster(), pool.cluster()))
    assert used == [("", "")] * 4 + [("auto", "auto")]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"using the Ray cluster at {both.address}, which this machine is a ")
    assert os.environ[CLUSTER] == "auto"  # of the processes that come of this one
    monkeypatch.setenv(CLUSTER, "")
    assert not pool.cluster()


def test_a_node_that_comes_late_is_used(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    monkeypatch.setattr(driver, "ASK", 0.2)
    stream = run(make(tmp_path, seconds=0.2), blocks(120))
    found, until = [next(stream)], time.monotonic() + 60
    late = cluster.add_node(num_cpus=1)
    while ray.available_resources().get("CPU") != 1 and time.monotonic() < until:
        time.sleep(0.05)  # it is there, and nobody's
    while ray.available_resources().get("CPU") and time.monotonic() < until:
        found.append(next(stream))
    assert time.monotonic() < until and found + list(stream) == expected(120)
    cluster.remove_node(late)


def test_half_the_cluster_does_all_the_work(cluster: Any, tmp_path: Path) -> None:
    """There is but half a cluster then."""
    stream = run(make(tmp_path, seconds=0.05), blocks(30))
    found = list(itertools.islice(stream, 7))
    cluster.remove_node(cluster.workers.pop(), allow_graceful=False)
    assert found + list(stream) == expected(30)


def test_a_cluster_whose_last_node_goes_is_one_line(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "WAIT", 12.0)
    stream = run(make(tmp_path, seconds=0.05), blocks(300))
    assert next(stream) == expected(1)[0]
    cluster.remove_node(cluster.workers.pop(), allow_graceful=False)
    with pytest.raises(InputError, match="has had no processor for 12 s") as error:
        list(stream)
    assert len(str(error.value).splitlines()) == 1
    cluster.workers = [cluster.add_node(num_cpus=1)]


def test_a_head_that_goes_is_one_line(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last test: there is no cluster then."""
    monkeypatch.setattr(driver, "ASK", 0.5)
    stream = run(make(tmp_path, seconds=0.2), blocks(300))
    assert next(stream) == expected(1)[0]
    cluster.head_node.kill_gcs_server(check_alive=False)
    with pytest.raises(InputError, match="the head of the Ray cluster is gone"):
        list(stream)
