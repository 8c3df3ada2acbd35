"""Signals end a process soon, whatever it is at; what it has begun, and its parent's end, too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import weakref
from pathlib import Path

import psutil
import pytest

import ecqg
from ecqg import __main__
from ecqg.profiles import FOLDER

SOON = 2.0  # seconds, which the end may take after a first signal
AT_ONCE = 0.6  # after a second one; machines that run tests are busy

BUSY = "import hashlib; hashlib.pbkdf2_hmac('sha512', b'', b'', 2**31 - 1)"  # sees no signal
TIDY = """
    try:
        time.sleep(600)
    finally:
        print("tidy", flush=True)
"""
STUBBORN = """
    try:
        time.sleep(600)
    finally:
        time.sleep(600)
"""


def started(what: str, **options) -> subprocess.Popen[str]:
    code = "import sys, time; from ecqg.signals import end_on_signals; end_on_signals()\n"
    code += "print('begun', flush=True)\n"
    environment = {**os.environ, "PYTHONPATH": str(Path(ecqg.__file__).parents[1])}
    environment.pop("DVC_STAGE", None)
    process = subprocess.Popen(
        [sys.executable, "-c", code + textwrap.dedent(what)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | options.pop("env", {}),
        text=True,
        **options,
    )
    assert process.stdout and process.stdout.readline() == "begun\n"
    time.sleep(0.1)
    return process


def seconds_to_end(process: subprocess.Popen[str]) -> float:
    since = time.monotonic()
    process.wait(60)
    return time.monotonic() - since


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_can_tidy_up_does_so_at_once(number: int) -> None:
    process = started(TIDY)
    process.send_signal(number)
    assert seconds_to_end(process) < AT_ONCE
    assert process.stdout and process.stdout.read() == "tidy\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("what", [BUSY, STUBBORN])
def test_one_signal_ends_soon_and_two_at_once(what: str, number: int) -> None:
    once, twice = started(what), started(what)
    once.send_signal(number)
    assert 0.5 < seconds_to_end(once) < SOON
    assert once.returncode == 128 + number
    twice.send_signal(number)
    time.sleep(0.3)
    assert twice.poll() is None
    twice.send_signal(number)
    assert seconds_to_end(twice) < AT_ONCE


def test_one_signal_that_comes_by_two_ways_is_one() -> None:
    process = started(BUSY)
    process.send_signal(signal.SIGINT)
    time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert seconds_to_end(process) > 0.8


@pytest.mark.slow
def test_processes_below_end_too() -> None:
    shell = "trap : INT TERM; sleep 600; sleep 600"
    process = started(f"import subprocess; subprocess.Popen(['sh', '-c', {shell!r}])\n{BUSY}")
    time.sleep(0.2)
    below = psutil.Process(process.pid).children(recursive=True)
    assert len(below) == 2
    process.terminate()
    assert seconds_to_end(process) < SOON
    psutil.wait_procs(below, timeout=2)
    assert not [one for one in below if alive(one)]


def alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("by_dvc", [True, False])
def test_a_stage_ends_with_dvc_and_one_by_hand_goes_on(by_dvc: bool, tmp_path: Path) -> None:
    code = f"""
    import os, subprocess
    child = "from ecqg.signals import end_on_signals; end_on_signals(); import time; "
    child += "open('pid', 'w').write(str(__import__('os').getpid()) + ' '); time.sleep(600)"
    subprocess.run([sys.executable, "-c", child], env={{**os.environ, **{
        {"DVC_STAGE": "stage"} if by_dvc else {}
    }}})
    """
    process, note = started(code, cwd=tmp_path), tmp_path / "pid"
    until = time.monotonic() + 20
    while not (note.exists() and note.read_text().endswith(" ")) and time.monotonic() < until:
        time.sleep(0.05)
    stage = psutil.Process(int(note.read_text()))
    process.kill()
    process.wait()
    until = time.monotonic() + 4
    while alive(stage) and time.monotonic() < until:
        time.sleep(0.05)
    assert alive(stage) != by_dvc
    if alive(stage):
        stage.kill()


def test_java_leaves_signals_to_python() -> None:
    code = """
    from ecqg.lexical.java import java_class
    java_class("java.lang.String")
    print("java", flush=True)
    """
    process = started(textwrap.dedent(code) + textwrap.dedent(TIDY))
    assert process.stdout and process.stdout.readline() == "java\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert seconds_to_end(process) < SOON
    assert process.stdout.read() == "tidy\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stage_ends_soon_and_tidies_up(number: int, tmp_path: Path) -> None:
    text = (FOLDER / "microcosm.yaml").read_text(encoding="utf-8")
    (tmp_path / "params.yaml").write_text(text.replace("passages: 5000", "passages: 300000", 1))
    process = subprocess.Popen(
        [sys.executable, "-m", "ecqg", "acquire"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(ecqg.__file__).parents[1])},
        text=True,
    )
    # At its work, no more at imports, where an interrupt may be lost (the next test).
    until = time.monotonic() + 60
    while not (at_work := list(tmp_path.glob("**/facts.jsonl"))) and time.monotonic() < until:
        time.sleep(0.05)
    assert at_work
    process.send_signal(number)
    assert seconds_to_end(process) < SOON
    assert process.stderr and "Traceback" not in process.stderr.read()
    assert not list((tmp_path / "data").glob("**/*.part"))  # there was time to tidy up


def test_an_interrupt_that_cannot_be_raised_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As in a weak reference's callback, where one may fall while a module is imported."""
    monkeypatch.setattr(sys, "unraisablehook", __main__._unraisable)
    for error, said in ((KeyboardInterrupt, False), (ValueError, True)):

        def fail(_: object, error: type[BaseException] = error) -> None:
            raise error

        thing = type("Thing", (), {})()
        reference = weakref.ref(thing, fail)
        del thing
        assert reference() is None
        assert ("Traceback" in capfd.readouterr().err) == said
