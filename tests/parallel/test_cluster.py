"""A Ray cluster of two nodes on the loopback; one of them is killed half-way."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from squares import blocks, expected, make

from ecqg.errors import InputError
from ecqg.parallel.pool import CLUSTER, run

cluster_utils = pytest.importorskip("ray.cluster_utils")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def both() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        here = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        patch.setenv("PYTHONPATH", os.pathsep.join(here))
        made = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        made.workers = [made.add_node(num_cpus=1) for _ in range(2)]
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


def test_without_workers_it_ends_in_one_line(cluster: Any, tmp_path: Path) -> None:
    task = make(tmp_path, seconds=0.05, dies=((31, 2),))
    found = []
    with pytest.raises(InputError, match="all workers of the Ray cluster are lost"):
        found.extend(run(task, blocks(30)))


def test_what_the_task_says_is_said(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="50 is bad; give another"):
        list(run(make(tmp_path, fails=50), blocks(40)))


def test_no_cluster_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLUSTER, "127.0.0.1:1")
    with pytest.raises(InputError, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        list(run(make(tmp_path), blocks(2)))


def test_half_the_cluster_does_all_the_work(cluster: Any, tmp_path: Path) -> None:
    """The last test: there is but half a cluster then."""
    stream = run(make(tmp_path, seconds=0.05), blocks(30))
    found = list(itertools.islice(stream, 7))
    cluster.remove_node(cluster.workers.pop(), allow_graceful=False)
    assert found + list(stream) == expected(30)
