"""Work that one process does is not done by another, and a lock never outlives its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ecqg
from ecqg import locks
from ecqg.errors import InputError
from ecqg.locks import alone
from ecqg.resume import resumable

HOLD = """
import sys, time
from ecqg.locks import alone
with alone(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locks, "PATIENCE", 0.3)


def holder(work: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, work],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(ecqg.__file__).parents[1])},
        text=True,
    )
    assert process.stdout and process.stdout.readline() == "held\n"
    return process


def test_the_second_is_told_who_is_first() -> None:
    process = holder("encode-dpr@main")
    with alone("other work"):
        pass
    with pytest.raises(InputError, match=rf"^process {process.pid} is at work on encode-dpr@main "):
        alone("encode-dpr@main").__enter__()
    process.kill()
    process.wait()
    with alone("encode-dpr@main"):  # also after a kill
        pass


def test_who_is_about_to_end_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    process = holder("a")
    monkeypatch.setattr(locks, "PATIENCE", 20)
    with subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -9 {process.pid}"]), alone("a"):
        pass
    process.wait()


def test_what_one_resumes_another_neither_reads_nor_removes() -> None:
    process = holder("train")
    Path(".cache/ecqg/resume/train/key").mkdir(parents=True)
    with pytest.raises(InputError, match=f"process {process.pid} is at work on train"):
        resumable("ecqg.locks", "train", []).__enter__()
    assert Path(".cache/ecqg/resume/train/key").is_dir()
    process.kill()
    process.wait()
    since = time.monotonic()
    with resumable("ecqg.locks", "train", []) as folder:
        assert folder.is_dir()
    assert time.monotonic() - since < 5
