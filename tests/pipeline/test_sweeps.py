"""Sweeps: what their files may say, which experiments they are, and DVC's queue that runs them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import psutil
import pytest

from ecqg.checking import parse_yaml
from ecqg.errors import InputError
from ecqg.params import build_params
from ecqg.pipeline import sweeps
from ecqg.pipeline.sweeps import describe, finished, points, read_sweep, run
from ecqg.profiles import whole

ROOT = Path(__file__).parents[2]
TWO_AXES = """about: Two things
seeds: [1, 2]
axes:
- {name: threshold, parameter: a.b, values: [0.5, true]}
- name: amount
  values: [few, "more than that"]
  settings: [{c: 1}, {c: 2, d: x}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sweeps").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sweeps, "POLL", 0.5)
    monkeypatch.setattr(sweeps, "PATIENCE", 2)
    return tmp_path / "sweeps"


def test_points_are_all_combinations_seed_by_seed(folder: Path) -> None:
    (folder / "two.yaml").write_text(TWO_AXES)
    found = points("two", read_sweep("two"))
    assert [point.name for point in found[:5]] == [
        "two_0.5_few_seed-1",
        "two_0.5_more-than-that_seed-1",
        "two_true_few_seed-1",
        "two_true_more-than-that_seed-1",
        "two_0.5_few_seed-2",
    ]
    assert found[3].settings == {"a.b": True, "c": 2, "d": "x", "seed": 1}
    assert found[3].values == (True, "more than that")
    assert len(found) == 8


def test_a_list_is_a_list_of_yaml(folder: Path) -> None:
    (folder / "bias.yaml").write_text(
        "about: x\nseeds: [1]\naxes: [{name: b, values: [a], settings: [{m.bias: [3, 1]}]}]\n"
    )
    (point,) = points("bias", read_sweep("bias"))
    assert point.arguments() == ["--set-param", "m.bias=[3,1]", "--set-param", "seed=1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("about: x\nseeds: []\n", "no sweep (Expected `array` of length >= 1 - at `$.seeds`)"),
        (
            "about: x\nseeds: [1]\nsystem: [a]\n",
            "no sweep (Object contains unknown field `system`)",
        ),
        (TWO_AXES.replace("parameter: a.b, ", ""), "axis threshold has no parameter or settings"),
        (TWO_AXES.replace(", {c: 2, d: x}", ""), "axis amount has 2 values, 1 settings"),
        (f"reference: few\n{TWO_AXES}", "reference few is no value of an only axis"),
        (TWO_AXES.replace("0.5, true", "0.5, 0.5"), "two points are called two_0.5_few_seed-1"),
    ],
)
def test_a_wrong_file_is_one_line(folder: Path, text: str, said: str) -> None:
    (folder / "two.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        read_sweep("two")
    assert str(error.value).startswith(f"sweeps/two.yaml: {said}")
    assert "\n" not in str(error.value)


def test_an_unknown_sweep_names_those_that_there_are(folder: Path) -> None:
    (folder / "two.yaml").write_text(TWO_AXES)
    with pytest.raises(InputError, match="no sweep 'one'; there is two"):
        read_sweep("one")


@pytest.mark.slow
def test_every_sweep_of_the_repository_sets_parameters_that_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    names = [name for name, _ in describe()]
    assert len(names) > 5
    for name in names:
        sweep = read_sweep(name)
        params = parse_yaml(whole(sweep.profile or "microcosm"), name)
        for point in points(name, sweep):
            tree = deepcopy(params)
            for key, value in point.settings.items():
                *sections, last = key.split(".")
                section = tree
                for part in sections:
                    section = section[part]
                assert last in section, f"{name}: {key}"
                section[last] = list(value) if isinstance(value, tuple) else value
            build_params(tree, f"sweeps/{name}.yaml")


def begin(root: Path, command: str, a: int = 0) -> None:
    """A repository of git's and DVC's, committed; its stage runs a command of `${a}` and `${seed}`
    that writes `out`.
    """
    (root / "params.yaml").write_text(f"a: {a}\nseed: 0\n")
    (root / "dvc.yaml").write_text(
        f"stages:\n  s:\n    cmd: {command}\n    params: [a, seed]\n    outs: [out]\n"
    )
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    for command in (
        ["git", "init", "-q"],
        ["git", "config", "user.name", "t"],
        ["git", "config", "user.email", "t@t"],
        ["dvc", "init", "-q"],
        ["git", "add", "."],
        [*git, "commit", "-qm", "start"],
    ):
        subprocess.run(command, cwd=root, check=True)


@pytest.mark.slow
def test_what_was_killed_is_run_again(folder: Path) -> None:
    root = folder.parent
    (folder / "slow.yaml").write_text(
        "about: x\nseeds: [1, 2]\naxes: [{name: a, parameter: a, values: [1]}]\n"
    )
    wait = root.with_name("wait")
    wait.touch()
    begin(root, f"while [ -e {wait} ]; do sleep 0.1; done; echo ${{seed}} > out")
    code = (
        "from ecqg.pipeline.sweeps import read_sweep, run; run('slow', read_sweep('slow'), jobs=1)"
    )
    first = subprocess.Popen([sys.executable, "-c", code], cwd=root)
    until = time.monotonic() + 60
    while not of_sweep(root, "sleep") and time.monotonic() < until:
        time.sleep(0.2)
    first.kill()
    first.wait()
    for process in of_sweep(root):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    wait.unlink()
    assert run("slow", read_sweep("slow"), jobs=1) == []
    names = ["slow_1_seed-1", "slow_1_seed-2"]
    assert finished(names) == names


def of_sweep(root: Path, name: str = "") -> list[psutil.Process]:
    """Processes that work in a repository, or in DVC's copies of it."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(root) and name in process.name():
                found.append(process)
    return [process for process in found if process.pid != os.getpid()]


@pytest.mark.slow
def test_what_a_worker_lost_is_queued_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder.parent
    (folder / "lost.yaml").write_text(
        "about: x\nseeds: [1]\naxes: [{name: a, parameter: a, values: [1]}]\n"
    )
    begin(root, "echo ${seed} > out")
    broker = ".dvc/tmp/exps/celery/broker"
    dvc = root / "dvc.sh"  # its first worker takes what waits and ends, as an idle one can
    dvc.write_text(
        '#!/bin/sh\nif [ "$1 $2" = "queue start" ] && [ ! -e lost ]; then\n'
        f"  touch lost; mv {broker}/in/*.celery.msg {broker}/processed\n"
        f'else exec {sweeps.DVC[0]} "$@"; fi\n'
    )
    dvc.chmod(0o755)
    monkeypatch.setattr(sweeps, "DVC", [str(dvc)])
    assert run("lost", read_sweep("lost"), jobs=1) == []
    assert (root / "lost").exists()
    assert finished(["lost_1_seed-1"]) == ["lost_1_seed-1"]


@pytest.mark.slow
def test_experiments_run_once_and_what_fails_is_named(folder: Path) -> None:
    root = folder.parent
    (folder / "small.yaml").write_text(
        "about: x\nseeds: [1]\naxes: [{name: a, parameter: a, values: [1, 0]}]\n"
    )
    wait = root.with_name("wait")
    wait.touch()
    # The second ends once the first is kept, which is before the queue has been worked off.
    begin(root, f"python stage.py ${{a}} ${{seed}} {wait} > out", a=1)
    (root / "stage.py").write_text(
        "import os, sys, time\na, seed, wait = int(sys.argv[1]), *sys.argv[2:]\n"
        "for _ in range(600):\n    if a == 0 and os.path.exists(wait):\n        time.sleep(0.1)\n"
        "if a == 0 and os.path.exists(wait):\n    open(wait + '-too-long', 'w').close()\n"
        "print(seed, 1 / a)\n"
    )
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    subprocess.run(["git", "commit", "-qm", "the stage"], cwd=root, check=True)
    sweep = read_sweep("small")
    names = [point.name for point in points("small", sweep)]
    kept: list[str] = []

    def keep(name: str) -> None:
        kept.append(name)
        wait.unlink()

    assert run("small", sweep, jobs=1, keep=keep) == ["small_0_seed-1"]
    assert not wait.with_name("wait-too-long").exists()
    assert kept == ["small_1_seed-1"]
    assert finished(names) == ["small_1_seed-1"]
    commits = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/exps"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert run("small", sweep, jobs=1, keep=kept.append) == ["small_0_seed-1"]
    assert run("small", sweep, jobs=1, there=names, keep=kept.append) == []
    assert kept == ["small_1_seed-1"] * 2  # once a call that was not told of it
    again = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/exps"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert [c for c in commits.splitlines() if "small_" in c] == [
        c for c in again.splitlines() if "small_" in c
    ]
