"""A stage as a fork: all is as if a shell had started it, a death included."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from dvc.stage.exceptions import StageCmdFailedError

from ecqg.pipeline import forks as module
from ecqg.pipeline.forks import DVC, PLAIN, forked_commands, log_file

# The server of forks imports what stages need, which takes seconds.
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="forks"),
    pytest.mark.slow,
]

# In the place of the command line.
PROBE = """
    import json, os, signal, sys, time

    def app():
        what, *rest = sys.argv[1:]
        if what == "tell":
            facts = {
                "arguments": sys.argv,
                "folder": os.getcwd(),
                "mark": os.environ.get("MARK"),
                "torch": "torch" in sys.modules,
            }
            print(json.dumps(facts))
            print("to the other stream", file=sys.stderr)
            sys.exit(int(rest[0]))
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "sleep":
            with open("pid", "w") as file:
                file.write(f"{os.getpid()} {os.getppid()} ")
            time.sleep(600)
"""


@pytest.fixture(scope="module", autouse=True)
def commands() -> Iterator[None]:
    with forked_commands(2):
        yield


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout that one stands in is what runs."""
    monkeypatch.chdir(tmp_path)
    package = Path("src/ecqg")
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "cli.py").write_text(textwrap.dedent(PROBE))
    shutil.copy(Path(module.__file__).parents[1] / "signals.py", package)
    log_file("probe").parent.mkdir(parents=True)


def run(command: str, stage: str = "probe", **environment: str) -> int:
    """What DVC does, in a thread; returns the exit status that it sees."""
    from dvc.stage import run as by_dvc

    env = {**os.environ, "DVC_STAGE": stage, **environment}
    with DVC:
        try:
            by_dvc._run("/bin/sh", command, cwd=str(Path.cwd()), env=env)
        except StageCmdFailedError as error:
            return int(str(error).rpartition(" ")[2])
    return 0


def until(done: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.02)
    return done()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def sleeping() -> tuple[int, int]:
    """The ids of the process of `ecqg sleep` and of its parent."""
    note = Path("pid")
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    stage, parent = map(int, note.read_text().split())
    return stage, parent


@pytest.mark.parametrize("status", [0, 1, 7])
def test_what_a_stage_gets_and_gives(status: int) -> None:
    command = f"ecqg tell {status} main"
    assert run(command, MARK="mine") == status
    told, said = log_file("probe").read_text().splitlines()
    assert json.loads(told) == {
        "arguments": command.split(),
        "folder": str(Path.cwd()),
        "mark": "mine",
        "torch": True,
    }
    assert said == "to the other stream"


def test_a_stage_that_is_killed() -> None:
    assert run("ecqg die") == -signal.SIGKILL
    assert run("kill -KILL $$") == 128 + signal.SIGKILL


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_stage_and_not_the_server(how: signal.Signals) -> None:
    with ThreadPoolExecutor() as threads:
        ended = threads.submit(run, "ecqg sleep")
        stage, server = sleeping()
        os.kill(stage, how)
        assert ended.result(60) == 1
    assert "KeyboardInterrupt" in log_file("probe").read_text()
    assert is_alive(server)


def started_alone(command: str, *gpus: str) -> subprocess.Popen[str]:
    """A process of its own that runs a command and says what comes of it."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_forks as t\n"
        f"t.module.GPUS = {gpus!r}\n"
        f"with t.forked_commands(1): print(t.run({command!r}))"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["ecqg sleep", "printf '%s ' $$ $PPID > pid; sleep 600"])
def test_a_stage_ends_with_what_started_it(command: str) -> None:
    with started_alone(command) as process:
        try:
            stage, parent = sleeping()
            family = [stage, parent, *(one.pid for one in psutil.Process(stage).children())]
        finally:
            process.kill()
    assert until(lambda: not any(map(is_alive, family)))


def test_many_at_once() -> None:
    with ThreadPoolExecutor(8) as threads:
        ended = [threads.submit(run, f"ecqg tell {i}", f"probe{i}") for i in range(8)]
    assert [one.result() for one in ended] == list(range(8))


def test_what_a_shell_must_read_goes_to_a_shell() -> None:
    assert run("echo a; exit 5") == 5
    assert log_file("probe").read_text() == "a\n"
    for command in ("ecqg select; rm x", "ecqg $(x)", "ecqg 'a'", "ecqg  select", "ecqg", "ecqg é"):
        assert not PLAIN.fullmatch(command), command
    assert PLAIN.fullmatch("ecqg retrieve supervised-@system @collection")


def test_bad_input_is_one_line_there_too() -> None:
    shutil.rmtree("src")  # so that it is our own package
    assert run("ecqg judge") == 1
    said = log_file("probe").read_text()
    assert said.startswith("ecqg: params.yaml")
    assert said.count("\n") == 1


def test_nothing_is_imported_before_where_a_gpu_may_be() -> None:
    with started_alone("ecqg tell 0", "null") as process:  # a device that every machine has
        assert process.communicate()[0] == "0\n"
    assert json.loads(log_file("probe").read_text().splitlines()[0])["torch"] is False


@pytest.mark.slow
def test_a_stage_that_is_to_compute_otherwise_starts_anew() -> None:
    """What the server has loaded computes as its own environment said."""
    shutil.rmtree("src")
    environment = {"ECQG_NUMERICS": "portable", "OPENBLAS_CORETYPE": "Nehalem"}
    assert run("ecqg --help", **environment) == 0
    assert "Usage" in log_file("probe").read_text()
