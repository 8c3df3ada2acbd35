"""What was run once is restored, also where a stage leaves a file for Git."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ecqg.pipeline.reproduce import reproduce_side_by_side

pytestmark = pytest.mark.slow
DVC = [sys.executable, "-m", "dvc"]
# `s` leaves a table for Git beside its data, `t` two for Git alone, one of them a folder.
STAGES = """
stages:
  s:
    cmd: mkdir -p tables && echo ${a} > out && echo ${a} > tables/s.csv && echo s >> ../runs
    params: [a]
    outs: [out, tables/s.csv: {cache: false}]
  t:
    cmd: >-
      if [ -e "$HOLD" ]; then touch "$HOLD.now"; sleep 600; fi;
      mkdir -p more && cp out t.csv && cp out more/t.csv && echo t >> ../runs
    deps: [out]
    outs: [t.csv: {cache: false}, more: {cache: false}]
"""


def call(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder is a study; the file has a line for each run of a stage."""
    study = tmp_path / "study"
    study.mkdir()
    monkeypatch.chdir(study)
    call("git", "init", "--quiet")
    for setting in ("user.name=t", "user.email=t@t"):
        call("git", "config", *setting.split("="))
    call(*DVC, "init", "--quiet")
    Path("dvc.yaml").write_text(STAGES)
    Path(".gitignore").write_text("/out\n/.cache\n")
    reproduce(1)
    call("git", "add", ".")
    call("git", "commit", "--quiet", "--message", "a study")
    return tmp_path / "runs"


@pytest.fixture
def guarded_dvc(guarded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each start of DVC has what `make setup` gives it."""
    monkeypatch.setenv("PYTHONPATH", str(guarded))


def reproduce(a: int) -> None:
    Path("params.yaml").write_text(f"a: {a}\n")
    assert reproduce_side_by_side([], 2)
    files = (Path("out"), Path("tables/s.csv"), Path("t.csv"), Path("more/t.csv"))
    assert [file.read_text() for file in files] == [f"{a}\n"] * 4


def test_what_was_run_here_is_restored(runs: Path) -> None:
    reproduce(2)
    assert runs.read_text().split() == ["s", "t"] * 2
    for file in ("tables/s.csv", "t.csv", "more/t.csv"):
        Path(file).unlink()
    reproduce(1)
    Path("params.yaml").write_text("a: 2\n")
    call(*DVC, "repro")  # as DVC restores it
    assert Path("t.csv").read_text() == "2\n"
    assert runs.read_text().split() == ["s", "t"] * 2


def test_what_an_experiment_ran_is_restored(runs: Path, guarded_dvc: None) -> None:
    call(*DVC, "exp", "run", "--temp", "--name", "two", "--set-param", "a=2")  # in another folder
    reproduce(2)
    assert runs.read_text().split() == ["s", "t"]


def test_a_killed_experiment_loses_no_stage(
    runs: Path, guarded_dvc: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    monkeypatch.setenv("HOLD", str(hold))
    command = [*DVC, "exp", "run", "--temp", "--set-param", "a=2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 120
        while not Path(f"{hold}.now").exists() and time.monotonic() < until:
            time.sleep(0.1)
        for one in (*psutil.Process(process.pid).children(recursive=True), process):
            one.kill()
    hold.unlink()
    reproduce(2)
    assert runs.read_text().split() == ["s", "t", "t"]
