"""GPUs are given to stages: here names without devices behind them."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.pipeline.devices import Devices
from ecqg.pipeline.forks import DVC, forked_commands, log_file
from ecqg.processes import PROCESSES, VISIBLE, gpus

APP = """
import json, os, sys, time

def app():
    time.sleep(0.3)
    print(json.dumps({k: os.environ.get(k) for k in ("CUDA_VISIBLE_DEVICES", "ECQG_PROCESSES")}))
"""


@given(
    names=st.integers(0, 4).map(lambda n: [f"gpu{i}" for i in range(n)]),
    jobs=st.integers(1, 6),
    wanted=st.lists(st.one_of(st.none(), st.integers(1, 5)), max_size=12),
)
def test_no_gpu_has_more_stages_than_it_must(
    names: list[str], jobs: int, wanted: list[int | None]
) -> None:
    devices, lock, most = Devices(names, jobs), threading.Lock(), -(-jobs // max(1, len(names)))
    held: list[str] = []

    def stage(count: int | None) -> None:
        with devices.take(count) as own:
            with lock:
                held.extend(own)
                assert all(held.count(name) <= most for name in names)
            assert len({*own}) == len(own)
            assert own == sorted(own)
            assert len(own) >= min(len(names), 1 if count is None else count)
            assert count is None or len(own) == min(count, len(names))
            with lock:
                for name in own:
                    held.remove(name)

    with ThreadPoolExecutor(jobs) as threads:
        list(threads.map(stage, wanted))


def test_two_stages_have_two_gpus_and_a_third_waits_for_one() -> None:
    devices = Devices(["0", "1"], 2)
    with devices.take() as first, devices.take() as second:
        assert first + second == ["0", "1"]
        got: list[list[str]] = []

        def third() -> None:
            with devices.take() as own:
                got.append(own)

        thread = threading.Thread(target=third)
        thread.start()
        time.sleep(0.1)
        assert got == []
    thread.join()
    assert len(got[0]) == 1
    with devices.take(None) as every:
        assert every == ["0", "1"]


def test_who_waits_when_a_run_is_stopped_begins_no_more() -> None:
    devices = Devices(["0"], 1)
    with devices.take(), ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(lambda: devices.take().__enter__())
        time.sleep(0.1)
        devices.close()
        assert isinstance(waiting.exception(), InputError)


def test_what_the_environment_shows_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "3, 5")
    assert gpus() == ["3", "5"]
    monkeypatch.setenv(VISIBLE, "")
    assert gpus() == []


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command line that says which GPUs it sees, and stages that run it, two at a time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VISIBLE, "3,5")
    monkeypatch.delenv(PROCESSES, raising=False)
    package = Path("src/ecqg")
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "cli.py").write_text(APP)
    import ecqg.signals

    shutil.copy(ecqg.signals.__file__, package)
    log_file("stage").parent.mkdir(parents=True)
    with forked_commands(2):
        yield


def stage(name: str) -> dict[str, str]:
    from dvc.stage import run

    with DVC:
        env = {**os.environ, "DVC_STAGE": name}
        run._run("/bin/sh", f"ecqg {name.partition('@')[0]}", cwd=str(Path.cwd()), env=env)
    last = log_file(name).read_text().splitlines()[-1]
    return json.loads(last)  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_a_stage_sees_its_gpu_alone_and_a_training_those_that_are_free(
    checkout: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(stage, ["encode@dpr-main", "encode@mixed-main"]))
    assert sorted(seen[VISIBLE] for seen in both) == ["3", "5"]
    assert stage("finetune@dpr") == {VISIBLE: "3,5", PROCESSES: "2"}
    monkeypatch.setenv(PROCESSES, "1")
    assert stage("pretrain@mixed") == {VISIBLE: "3", PROCESSES: "1"}
    monkeypatch.setenv(PROCESSES, "2")
    assert stage("encode@mixed-main") == {VISIBLE: "3,5", PROCESSES: "2"}
    assert stage("judge")[VISIBLE] in ("3", "5")
