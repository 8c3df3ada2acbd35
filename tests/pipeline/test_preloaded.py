"""A stage in a copy of the process that has imported: all is the same, a death included."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ecqg.pipeline import preloaded as module
from ecqg.pipeline.handover import ADDRESS
from ecqg.pipeline.preloaded import preloaded

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")

# Imported by the process before it forks; takes the place of the command line.
PROBE = """
    import json, os, signal, sys, time
    import ecqg.cli

    IMPORTED_BY = os.getpid()

    def app():
        what, *rest = sys.argv[1:]
        if what == "tell":
            facts = {
                "arguments": sys.argv[1:],
                "folder": os.getcwd(),
                "mark": os.environ.get("MARK"),
                "address": os.environ.get("ECQG_PRELOADED"),
                "forked": IMPORTED_BY != os.getpid(),
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
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("probe")
    (folder / "probe.py").write_text(textwrap.dedent(PROBE))
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def address(probe: Path) -> Iterator[str]:
    with preloaded(imports=("probe",)) as address:
        assert until(lambda: Path(address).exists())
        yield address


def until(done: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.02)
    return done()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def client(address: str, *arguments: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ecqg", *arguments],
        env={**os.environ, ADDRESS: address, "MARK": "mine"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.parametrize("status", [0, 1, 7])
def test_what_a_stage_gets_and_gives(address: str, tmp_path: Path, status: int) -> None:
    process = client(address, "tell", str(status), "ä \udc80", cwd=tmp_path)
    told, said = process.communicate(timeout=60)
    assert process.returncode == status
    assert json.loads(told) == {
        "arguments": ["tell", str(status), "ä \udc80"],
        "folder": str(tmp_path),
        "mark": "mine",
        "address": None,  # what the stage starts is not handed over again
        "forked": True,
    }
    assert said == "to the other stream\n"


def test_a_stage_that_is_killed(address: str) -> None:
    process = client(address, "die")
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGKILL


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_stage_ends_with_who_asked_for_it(address: str, tmp_path: Path, how: int) -> None:
    note = tmp_path / "pid"
    process = client(address, "sleep", str(note))
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    stage, server = map(int, note.read_text().split())
    process.send_signal(how)
    process.communicate(timeout=60)
    assert until(lambda: not is_alive(stage))
    assert is_alive(server)


def test_ctrl_c_is_the_stages_to_answer(address: str, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    process = client(address, "sleep", str(note))
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    stage, server = map(int, note.read_text().split())
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert process.poll() is None
    os.kill(stage, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "KeyboardInterrupt" in said
    assert is_alive(server)


def test_a_stage_that_is_to_compute_otherwise_starts_anew(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the process has loaded computes as its own environment said."""
    told, _ = client(address, "--help").communicate(timeout=60)
    assert told == ""  # what the process does with it
    monkeypatch.setenv("ECQG_NUMERICS", "native")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    process = client(address, "--help")
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Usage" in told


def test_many_at_once(address: str) -> None:
    processes = [client(address, "tell", str(i)) for i in range(8)]
    for process in processes:
        process.communicate(timeout=60)
    assert [process.returncode for process in processes] == list(range(8))


def test_without_such_a_process_a_stage_runs_all_the_same(tmp_path: Path) -> None:
    shown = [client(a, "--help").communicate(timeout=60)[0] for a in ("", str(tmp_path / "no"))]
    assert shown[0] == shown[1]
    assert "Usage" in shown[0]


def test_bad_input_is_one_line_there_too(tmp_path: Path) -> None:
    with preloaded(imports=()) as address:
        assert until(lambda: Path(address).exists())
        process = client(address, "select", cwd=tmp_path)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.startswith("ecqg: params.yaml")
    assert said.count("\n") == 1
    assert not Path(address).parent.exists()


def test_it_ends_when_who_started_it_is_killed(probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys, time
        sys.path.insert(0, {str(probe)!r})
        from ecqg.pipeline.preloaded import preloaded
        if __name__ == "__main__":
            with preloaded(imports=("probe",)) as address:
                print(address, flush=True)
                time.sleep(600)
        """)
    )
    starter = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert starter.stdout
    address, note = starter.stdout.readline().strip(), tmp_path / "pid"
    assert until(lambda: Path(address).exists())
    process = client(address, "sleep", str(note))
    assert until(lambda: note.exists() and note.read_text().endswith(" "))
    _, server = map(int, note.read_text().split())
    starter.kill()
    starter.wait()
    assert until(lambda: not is_alive(server))
    process.kill()
    process.communicate()


def test_none_where_a_gpu_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GPUS", ("null",))  # a device that every machine has
    with preloaded() as address:
        assert address == ""
