"""What was run once is restored, also where a stage leaves a file for Git."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ecqg.pipeline.reproduce import reproduce_side_by_side
from ecqg.pipeline.run_cache import save_commit

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
    cmd: mkdir -p more && cp out t.csv && cp out more/t.csv && echo t >> ../runs
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


def test_what_an_experiment_ran_is_restored(runs: Path) -> None:
    call(*DVC, "exp", "run", "--temp", "--name", "two", "--set-param", "a=2")  # in another folder
    save_commit("two")
    reproduce(2)
    # A folder that is for Git alone is not in DVC's cache: its stage runs again.
    assert runs.read_text().split() == ["s", "t", "t"]


def test_a_file_that_is_not_what_the_lock_says_is_no_output(runs: Path) -> None:
    reproduce(3)
    Path("tables/s.csv").write_text("edited\n")
    call("git", "add", ".")
    call("git", "commit", "--quiet", "--message", "edited by hand")
    cache = Path(".dvc/cache")
    before = sorted(cache.rglob("*"))
    save_commit("HEAD")
    assert sorted(cache.rglob("*")) == before
    call("git", "checkout", "--quiet", "HEAD~1", "--", ".")
    assert Path("out").read_text() == "3\n"
