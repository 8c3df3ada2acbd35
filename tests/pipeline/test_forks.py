"""A stage as a fork of a worker: all is as if a shell had started it, a death included."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest
from dvc.stage.exceptions import StageCmdFailedError

from ecqg.pipeline import forks as module
from ecqg.pipeline.forks import PLAIN, fork_stages, worker_context
from ecqg.pipeline.worker import _output_to

FORKSERVER = multiprocessing.get_context("forkserver")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")

# Imported by the worker; takes the place of the command line.
PROBE = """
    import json, os, signal, sys, time
    import ecqg.cli

    IMPORTED_BY = os.getpid()

    def app():
        what, *rest = sys.argv[1:]
        if what == "tell":
            facts = {
                "arguments": sys.argv,
                "folder": os.getcwd(),
                "mark": os.environ.get("MARK"),
                "forked": IMPORTED_BY != os.getpid(),
                "torch": "torch" in sys.modules,
            }
            print(json.dumps(facts))
            print("to the other stream", file=sys.stderr)
            sys.exit(int(rest[0]))
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "sleep":
            with open(rest[0], "w") as file:
                file.write(f"{os.getpid()} {IMPORTED_BY} ")
            time.sleep(600)

    ecqg.cli.app = app
"""


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessPoolExecutor]:
    folder = tmp_path_factory.mktemp("probe")
    (folder / "probe.py").write_text(textwrap.dedent(PROBE))
    sys.path.insert(0, str(folder))
    with (
        worker_context() as context,
        ProcessPoolExecutor(2, context, initializer=prepare) as pool,
    ):
        yield pool
    sys.path.remove(str(folder))


def prepare() -> None:
    """In a worker, which has this module's names but not what a test has patched."""
    module.OURS = (*module.OURS, "probe")
    fork_stages()


def run(command: str, folder: Path, log: Path, **environment: str) -> int:
    """What DVC does, in a worker; returns the exit status that it sees."""
    from dvc.stage import run as by_dvc

    with _output_to(log):
        try:
            by_dvc._run("/bin/sh", command, cwd=str(folder), env={**os.environ, **environment})
        except StageCmdFailedError as error:
            return int(str(error).rpartition(" ")[2])
    return 0


def set_environment(environment: dict[str, str]) -> None:
    os.environ.update(environment)


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


@pytest.mark.parametrize("status", [0, 1, 7])
def test_what_a_stage_gets_and_gives(
    workers: ProcessPoolExecutor, tmp_path: Path, status: int
) -> None:
    log = tmp_path / "log"
    command = f"ecqg tell {status} main"
    assert workers.submit(run, command, tmp_path, log, MARK="mine").result(120) == status
    told, said = log.read_text().splitlines()
    assert json.loads(told) == {
        "arguments": command.split(),
        "folder": str(tmp_path),
        "mark": "mine",
        "forked": True,
        "torch": True,
    }
    assert said == "to the other stream"


def test_a_stage_that_is_killed(workers: ProcessPoolExecutor, tmp_path: Path) -> None:
    killed = workers.submit(run, "ecqg die", tmp_path, tmp_path / "log").result(120)
    assert killed == -signal.SIGKILL


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_stage_and_not_the_worker(
    workers: ProcessPoolExecutor, tmp_path: Path, how: signal.Signals
) -> None:
    note, log = tmp_path / "pid", tmp_path / "log"
    ended = workers.submit(run, f"ecqg sleep {note}", tmp_path, log)
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    stage, worker = map(int, note.read_text().split())
    os.kill(stage, how)
    assert ended.result(60) == 1
    assert "KeyboardInterrupt" in log.read_text()
    assert is_alive(worker)


def test_a_stage_ends_with_its_worker(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    pool = ProcessPoolExecutor(1, FORKSERVER, initializer=fork_stages)
    folder = tmp_path / "src" / "ecqg"  # the checkout that one stands in is what runs
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "cli.py").write_text(
        "import os, time\n"
        "def app():\n"
        f"    open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{os.getppid()}} ')\n"
        "    time.sleep(600)\n"
    )
    (folder / "signals.py").write_bytes(
        Path(module.__file__).parents[1].joinpath("signals.py").read_bytes()
    )
    pool.submit(run, "ecqg sleep", tmp_path, tmp_path / "log", DVC_STAGE="sleep")
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    stage, worker = map(int, note.read_text().split())
    os.kill(worker, signal.SIGKILL)
    assert until(lambda: not is_alive(stage))
    pool.shutdown(wait=False)


def test_many_at_once(workers: ProcessPoolExecutor, tmp_path: Path) -> None:
    ended = [
        workers.submit(run, f"ecqg tell {i}", tmp_path, tmp_path / f"log{i}") for i in range(8)
    ]
    assert [one.result(120) for one in ended] == list(range(8))


def test_what_a_shell_must_read_goes_to_a_shell(
    workers: ProcessPoolExecutor, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    assert workers.submit(run, "echo a; exit 5", tmp_path, log).result(120) == 5
    assert log.read_text() == "a\n"
    for command in ("ecqg select; rm x", "ecqg $(x)", "ecqg 'a'", "ecqg  select", "ecqg", "ecqg é"):
        assert not PLAIN.fullmatch(command), command
    assert PLAIN.fullmatch("ecqg retrieve supervised-@system @collection")


def test_bad_input_is_one_line_there_too(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, FORKSERVER, initializer=fork_stages) as pool:
        assert pool.submit(run, "ecqg judge", tmp_path, tmp_path / "log").result(120) == 1
    said = (tmp_path / "log").read_text()
    assert said.startswith("ecqg: params.yaml")
    assert said.count("\n") == 1


def test_none_where_a_gpu_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    with worker_context() as context:
        assert context.get_start_method() == "forkserver"
    monkeypatch.setattr(module, "GPUS", ("null",))  # a device that every machine has
    with worker_context() as context:
        assert context.get_start_method() == "spawn"


def test_a_stage_that_is_to_compute_otherwise_starts_anew(tmp_path: Path) -> None:
    """What a worker has loaded computes as its own environment said."""
    environment = {"ECQG_NUMERICS": "portable", "OPENBLAS_CORETYPE": "Nehalem"}
    with (
        pytest.MonkeyPatch.context() as patch,
        ProcessPoolExecutor(1, FORKSERVER, initializer=fork_stages) as pool,
    ):
        pool.submit(set_environment, environment).result(120)
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        code = pool.submit(run, "ecqg --help", tmp_path, tmp_path / "log", **environment).result(60)
    assert code == 0
    assert "Usage" in (tmp_path / "log").read_text()
