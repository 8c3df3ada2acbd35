"""Stages side by side: the order, what is run, and the same lock file as `dvc repro`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tiny import LIGHT
from typer.testing import CliRunner

from ecqg.cli import app
from ecqg.pipeline import forks
from ecqg.pipeline.display import Display, last_lines
from ecqg.pipeline.reproduce import Schedule
from ecqg.processes import processors
from ecqg.profiles import FOLDER

pytestmark = pytest.mark.slow

# Each stage may need those before it.
GRAPHS = (
    st.integers(1, 9)
    .flatmap(
        lambda n: st.tuples(
            *(st.sets(st.integers(0, i - 1)) if i else st.just(set()) for i in range(n))
        )
    )
    .map(lambda needs: {str(i): {str(j) for j in found} for i, found in enumerate(needs)})
)


@given(GRAPHS, st.randoms(use_true_random=False))
def test_no_stage_starts_before_what_it_needs(needs, random) -> None:
    schedule, running, done = Schedule(networkx.DiGraph(needs)), [], []
    while len(done) < len(needs):
        while name := schedule.next():
            assert needs[name] <= set(done)
            running.append(name)
        ended = running.pop(random.randrange(len(running)))
        schedule.done(ended)
        done.append(ended)
    assert sorted(done) == sorted(needs)


def test_the_longest_chain_goes_first() -> None:
    needs = {"a": set(), "b": set(), "c": {"b"}, "z": set(), "d": {"c"}, "y": {"z"}}
    schedule = Schedule(networkx.DiGraph(needs))
    assert [schedule.next() for _ in range(4)] == ["b", "z", "a", None]


def test_an_error_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    display = Display({"read@a": 0}, 1)
    display.started("read@a")
    display.ended("read@a", "read@a: '\x1b[31mEVIL' is missing\nAll of its output: log")
    lines = capsys.readouterr().err.splitlines()[1:]
    assert lines == [r"read@a: '\x1b[31mEVIL' is missing", "All of its output: log"]


def test_the_last_lines_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    assert last_lines(log, 1) == []
    log.write_bytes(b"first\nbar 10 %\rbar 20 %\r\n\n")
    assert last_lines(log, 1) == ["bar 20 %"]
    assert last_lines(log, 9) == ["first", "bar 10 %", "bar 20 %"]
    log.write_bytes(b"x" * 50_000 + b"\n\x1b[31mlast")
    assert last_lines(log, 1) == [r"\x1b[31mlast"]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `dvc init` leaves it; to start dvc for each test takes longer than to copy."""
    folder = tmp_path_factory.mktemp("begun")
    subprocess.run(["dvc", "init", "--no-scm", "-q"], check=True, cwd=folder)
    return folder


@pytest.fixture
def pipeline(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five stages: left and right need base, both needs the two; alone needs nothing."""
    stages = {
        "base": {"cmd": "echo 1 > base", "outs": ["base"]},
        "left": {"cmd": "cat base base > left", "deps": ["base"], "outs": ["left"]},
        "right": {"cmd": "cat base > right", "deps": ["base"], "outs": ["right"]},
        "both": {"cmd": "cat left right > both", "deps": ["left", "right"], "outs": ["both"]},
        "alone": {"cmd": "echo $OMP_NUM_THREADS $ECQG_BARS > alone", "outs": ["alone"]},
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setattr(forks, "LIBRARIES", ())  # which these stages do not need
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    YAML().dump({"stages": stages}, Path("dvc.yaml"))
    shutil.copy(FOLDER / "microcosm.yaml", "params.yaml")  # which is checked before all
    return tmp_path


def repro(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["repro", *arguments])
    return result.exit_code, result.stderr


def test_all_stages_run_once_and_dvc_agrees(pipeline: Path, monkeypatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    code, said = repro("--jobs", "2")
    assert code == 0
    assert said.count("Running stage") == 5
    assert Path("both").read_text() == "1\n1\n1\n"
    assert Path("alone").read_text() == f"{max(1, processors() // 2)} log\n"
    status = subprocess.run(["dvc", "status"], capture_output=True, text=True, check=True)
    assert "up to date" in status.stdout
    assert repro() == (0, "")


def test_stages_find_an_environment_that_is_not_active(pipeline: Path, monkeypatch) -> None:
    YAML().dump({"stages": {"who": {"cmd": "command -v ecqg > who"}}}, Path("dvc.yaml"))
    monkeypatch.setenv("PATH", os.defpath)
    assert repro()[0] == 0
    assert Path("who").read_text().strip() == str(Path(sys.executable).parent / "ecqg")
    assert os.environ["PATH"] == os.defpath


def test_only_what_changed_runs(pipeline: Path) -> None:
    assert repro("left")[0] == 0
    assert not Path("right").exists()
    assert repro()[0] == 0
    Path("left").unlink()
    code, said = repro()
    assert code == 0
    assert "'left'" in said
    assert "'right'" not in said
    assert "'both'" not in said  # left came back with the same bytes


def test_a_stage_that_fails(pipeline: Path) -> None:
    text = Path("dvc.yaml").read_text().replace("cat base > right", "echo went wrong >&2; false")
    Path("dvc.yaml").write_text(text)
    code, said = repro()
    assert code == 1
    assert "went wrong" in said
    assert "right" in said
    assert ".cache/ecqg/logs/right.log" in said
    assert not Path("both").exists()
    assert Path("left").exists() and Path("alone").exists()  # which do not need it
    lock = Path("dvc.lock").read_text()
    assert "base:" in lock
    assert "right:" not in lock


def test_a_dependency_that_nothing_makes_is_a_line(pipeline: Path) -> None:
    stages = {
        "raw": {"cmd": "mkdir raw && echo 1 > raw/there", "outs": ["raw"]},
        "far": {"cmd": "echo 2 > far", "deps": ["raw/nope"], "outs": ["far"]},
    }
    YAML().dump({"stages": stages}, Path("dvc.yaml"))
    code, said = repro()
    assert code == 1
    assert any("far: " in line and "raw/nope" in line for line in said.splitlines())
    assert "Traceback" not in said


def test_a_second_run_says_who_is_at_work(pipeline: Path) -> None:
    YAML().dump({"stages": {"slow": {"cmd": BUSY, "outs": ["slow"]}}}, Path("dvc.yaml"))
    with subprocess.Popen(LIGHT, stderr=subprocess.PIPE, text=True) as first:
        while not Path("begun").exists():
            assert first.poll() is None
            time.sleep(0.1)
        code, said = repro()
        Path("end").touch()
        assert first.wait(60) == 0
    assert code == 1
    assert said.count("\n") == 1
    assert said.startswith(f"ecqg: process {first.pid} is at work on ecqg repro here; wait")
    assert repro() == (0, "")


BUSY = "touch begun && while [ ! -e end ]; do sleep 0.1; done; echo 1 > slow"


@pytest.mark.parametrize("first", ["dvc repro", "dvc exp run"])
def test_beside_dvc_one_line_says_who_is_at_work(pipeline: Path, first: str) -> None:
    if first == "dvc exp run":
        for command in ("git init -q", "dvc config --quiet core.no_scm false", "git add -A"):
            subprocess.run(command.split(), check=True)
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, "commit", "-q", "-m", "all"], check=True)
    YAML().dump({"stages": {"slow": {"cmd": BUSY, "outs": ["slow"]}}}, Path("dvc.yaml"))
    with subprocess.Popen(first.split(), stdout=subprocess.DEVNULL) as process:
        while not Path("begun").exists():
            assert process.poll() is None
            time.sleep(0.1)
        code, said = repro()
        Path("end").touch()
        assert process.wait(60) == 0
    assert code == 1
    assert said.count("\n") == 1
    assert f"'slow' is busy, it is being blocked by: (PID {process.pid}): " in said.replace(
        str(pipeline) + "/", ""
    )
    assert repro() == (0, "")


def test_dvc_beside_a_run_of_ours_says_who_is_at_work(pipeline: Path) -> None:
    YAML().dump({"stages": {"slow": {"cmd": BUSY, "outs": ["slow"]}}}, Path("dvc.yaml"))
    with subprocess.Popen(LIGHT, stderr=subprocess.PIPE, text=True) as process:
        while not Path("begun").exists():
            assert process.poll() is None
            time.sleep(0.1)
        second = subprocess.run(["dvc", "repro"], text=True, capture_output=True, check=False)
        Path("end").touch()
        assert process.wait(60) == 0
    assert second.returncode != 0
    assert "Traceback" not in second.stderr
    assert "ecqg repro" in second.stderr  # the command that blocks it
    assert Path("slow").read_text() == "1\n"
    assert repro() == (0, "")


@pytest.mark.parametrize("slow", ["left", "right"])
def test_what_a_stage_reads_is_held_until_it_ends(pipeline: Path, slow: str) -> None:
    """Also where another one, that read it at the same time, has ended."""
    works = {"left": "cat base base > left", "right": "cat base > right"}
    text = Path("dvc.yaml").read_text()
    for name, work in works.items():
        text = text.replace(work, f"{BUSY if name == slow else 'sleep 1'}; {work}")
    Path("dvc.yaml").write_text(text)
    with subprocess.Popen([*LIGHT, "both"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        quick = "right" if slow == "left" else "left"
        assert any(f"/4] {quick} " in line for line in process.stderr)
        again = ["dvc", "repro", "--force", "--single-item", "base"]
        second = subprocess.run(again, text=True, capture_output=True, check=False)
        Path("end").touch()
        assert process.wait(60) == 0
    assert second.returncode
    assert f"ecqg repro ({slow})" in second.stderr


def held_by(pid: int) -> str:
    info = {"pid": pid, "cmd": "dvc repro"}
    base = str(Path("base").absolute())
    return json.dumps({"write": {base: info}, "read": {base: [info]}})


@pytest.mark.parametrize("what", ["empty", "no JSON", "another form", "dead", "number used again"])
def test_a_lock_that_a_killed_process_left_is_mended(pipeline: Path, what: str) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    lock = Path(".dvc/tmp/rwlock")
    lock.parent.mkdir(exist_ok=True)
    texts = {"empty": "", "no JSON": '{"write": {', "another form": '{"write": 1}'}
    dead = ended.pid if what == "dead" else os.getpid()
    lock.write_text(texts.get(what) if what in texts else held_by(dead))
    if what == "number used again":  # by a process that is younger than the lock
        os.utime(lock, (0, 0))
    code, said = repro()
    assert code == 0, said
    assert Path("both").read_text() == "1\n1\n1\n"


def test_a_lock_that_is_held_is_not_mended(pipeline: Path) -> None:
    lock = Path(".dvc/tmp/rwlock")
    lock.parent.mkdir(exist_ok=True)
    lock.write_text(held_by(os.getpid()))
    before = lock.read_text()
    code, said = repro()
    assert code == 1
    assert said.count("\n") == 1
    assert f"(PID {os.getpid()}): dvc repro" in said
    assert json.loads(lock.read_text()) == json.loads(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="nothing can be mounted")
def test_a_full_cache_is_one_line(pipeline: Path, tmp_path: Path) -> None:
    cache = tmp_path / "small"
    cache.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(cache)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted")
    try:
        subprocess.run(["dvc", "cache", "dir", "-q", str(cache)], check=True)
        large = {"cmd": "head -c 4000000 /dev/urandom > large", "outs": ["large"]}
        YAML().dump({"stages": {"large": large}}, Path("dvc.yaml"))
        code, said = repro()
        assert code == 1
        told = [line for line in said.splitlines() if not line.startswith("Running stage")]
        assert len(told) == 1, said
        assert told[0].startswith(f"large: {cache}")
        assert "the disk is full (" in told[0]
        subprocess.run(["mount", "-o", "remount,size=20m", str(cache)], check=True)
        assert repro()[0] == 0
        status = subprocess.run(["dvc", "status"], capture_output=True, text=True, check=True)
        assert "up to date" in status.stdout
    finally:
        subprocess.run(["umount", "--lazy", str(cache)], check=True)


def test_no_such_stage(pipeline: Path) -> None:
    code, said = repro("nothing")
    assert code == 1
    assert said.startswith("ecqg: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("how", ["Ctrl-C", "SIGTERM", "SIGINT", "SIGINT twice"])
def test_ctrl_c_and_sigterm_end_the_stages_and_say_little(pipeline: Path, how: str) -> None:
    """Ctrl-C reaches all processes of a terminal, others the one that they are sent to."""
    # Python says that it has started: while it starts, Ctrl-C ends it with a status after which a
    # shell goes on.
    code = 'import pathlib, time; pathlib.Path("started").touch(); time.sleep(300)'
    slow = f"python -c '{code}'; touch alone"
    text = Path("dvc.yaml").read_text().replace("echo $OMP_NUM_THREADS $ECQG_BARS > alone", slow)
    Path("dvc.yaml").write_text(text)
    process = subprocess.Popen(
        LIGHT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    until = time.monotonic() + 200
    while not (Path("started").exists() and Path("both").exists()) and time.monotonic() < until:
        time.sleep(0.1)
    family = psutil.Process(process.pid).children(recursive=True)
    assert "sleep" in str([one.cmdline() for one in family if runs(one)])
    since, soon = time.monotonic(), 2.0
    if how == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    elif how == "SIGTERM":
        process.terminate()
    else:
        process.send_signal(signal.SIGINT)
    if how == "SIGINT twice":
        time.sleep(0.3)
        since, soon = time.monotonic(), 0.6
        process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert time.monotonic() - since < soon
    ends = {128 + signal.SIGINT, 128 + signal.SIGTERM}
    if how == "SIGINT twice":
        ends.add(-signal.SIGINT)  # the second one found a process that was ending
    assert process.returncode in ends
    assert b"Traceback" not in said
    assert not left(family)
    assert not Path("alone").exists()


def left(processes: list[psutil.Process], seconds: float = 0.5) -> list[psutil.Process]:
    """Those that still run after so many seconds."""
    until = time.monotonic() + seconds
    while (found := [one for one in processes if runs(one)]) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def runs(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_killed_run_loses_no_stage(pipeline: Path) -> None:
    """What dvc.lock does not yet say is in DVC's run cache."""
    text = Path("dvc.yaml").read_text()
    text = text.replace("cat base > right", "echo once >> ../runs; cat base > right")
    text = text.replace("cat left right > both", "touch started; sleep 60; cat left right > both")
    Path("dvc.yaml").write_text(text)
    process = subprocess.Popen(
        LIGHT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + 200
    while not Path("started").exists() and time.monotonic() < until:
        time.sleep(0.1)
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    assert not left(family, 20)  # its workers and what they ran, too
    assert not Path("dvc.lock").exists()
    Path("dvc.yaml").write_text(text.replace("sleep 60; ", ""))
    code, said = repro()
    assert code == 0, said
    assert Path("../runs").read_text() == "once\n"
    assert Path("both").read_text() == "1\n1\n1\n"


def test_the_lock_file_is_what_dvc_writes(pipeline: Path) -> None:
    text = Path("dvc.yaml").read_text().replace("echo $OMP_NUM_THREADS $ECQG_BARS", "echo 1")
    Path("dvc.yaml").write_text(text)
    assert repro()[0] == 0
    ours = Path("dvc.lock").read_bytes()
    subprocess.run(["dvc", "repro", "--force", "-q"], check=True)
    assert Path("dvc.lock").read_bytes() == ours
    Path("dvc.lock").unlink()
    subprocess.run(["dvc", "repro", "-q"], check=True)
    loaded = [YAML(typ="safe").load(text) for text in (ours, Path("dvc.lock"))]
    assert loaded[0] == loaded[1]
