"""What docs/usage.md says of a shared cache: pushed and pulled, results are not computed again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DVC = str(Path(sys.executable).parent / "dvc")


def call(folder: Path, *command: str) -> str:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What each test has a copy of: to start dvc takes longer."""
    folder = tmp_path_factory.mktemp("begun")
    call(folder, "git", "init", "--quiet", "--bare", "--initial-branch", "main", "git")
    call(folder, "git", "clone", "--quiet", "git", "one")
    one = folder / "one"
    for setting in ("user.name=t", "user.email=t@t"):
        call(one, "git", "config", *setting.split("="))
    call(one, DVC, "init", "--quiet")
    with (one / ".dvc/config").open("a") as config:
        config.write("[core]\n    autostage = false\n    remote = store\n")
    (one / "params.yaml").write_text("a: 1\n")
    (one / "dvc.yaml").write_text(
        "stages:\n  s:\n    cmd: echo ${a} > out && echo ran >> ../runs\n"
        "    params: [a]\n    outs: [out]\n"
    )
    (one / ".gitignore").write_text("/out\n")
    call(one, DVC, "repro", "--quiet")
    call(one, "git", "add", ".")
    call(one, "git", "commit", "--quiet", "--message", "a study")
    call(one, "git", "push", "--quiet", "--set-upstream", "origin", "HEAD:main")
    return folder


@pytest.fixture
def origin(begun: Path, tmp_path: Path) -> Path:
    """A clone, with a stage that says when it runs; a bare Git remote, and a remote of DVC's."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    one = tmp_path / "one"
    call(one, "git", "remote", "set-url", "origin", str(tmp_path / "git"))
    with (one / ".dvc/config").open("a") as config:  # absolute: DVC clones it to another place
        config.write(f"['remote \"store\"']\n    url = {tmp_path}/store\n")
    call(one, "git", "commit", "--all", "--quiet", "--message", "where the store is")
    call(one, "git", "push", "--quiet", "origin", "HEAD:main")
    return one


def runs(origin: Path) -> int:
    return (origin.parent / "runs").read_text().count("ran")


@pytest.mark.slow
def test_what_is_pushed_is_pulled_and_not_run_again(origin: Path) -> None:
    call(origin, DVC, "push", "--run-cache")
    call(origin, DVC, "exp", "run", "--name", "two", "--set-param", "a=2")
    call(origin, DVC, "exp", "push", "origin", "two")
    assert runs(origin) == 2
    two = origin.parent / "two"
    call(origin.parent, "git", "clone", "--quiet", "git", "two")
    call(two, DVC, "pull", "--run-cache")
    assert (two / "out").read_text() == "1\n"
    call(two, DVC, "exp", "pull", "origin", "two")
    assert "two" in call(two, DVC, "exp", "list")
    call(two, DVC, "exp", "apply", "two")
    assert (two / "out").read_text() == "2\n"
    (two / "params.yaml").write_text("a: 1\n")
    call(two, DVC, "repro")
    assert (two / "out").read_text() == "1\n"
    assert runs(origin) == 2


@pytest.mark.slow
def test_an_artifact_of_a_tagged_commit_is_fetched_by_its_name(origin: Path) -> None:
    with (origin / "dvc.yaml").open("a") as dvc:
        dvc.write("artifacts:\n  model: {path: out, type: model}\n")
    call(origin, "git", "commit", "--all", "--quiet", "--message", "an artifact")
    call(origin, "git", "tag", "--annotate", "--message", "first", "model@v1.0.0")
    call(origin, "git", "push", "--quiet", "origin", "HEAD:main", "model@v1.0.0")
    call(origin, DVC, "push")
    call(origin.parent, DVC, "artifacts", "get", str(origin.parent / "git"), "model", "-o", "got")
    assert (origin.parent / "got").read_text() == "1\n"
