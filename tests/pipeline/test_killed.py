"""A run of the study that is killed leaves no process, and the next start goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from test_side_by_side import left
from tiny import LIGHT, TINY, clone, edit, run

RESUME = Path(".cache/ecqg/resume")


@pytest.mark.slow
def test_nothing_is_left_and_the_next_start_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "clone"
    root.mkdir()
    clone(root)
    edit(root / "params.yaml", TINY | {"microcosm.passages": 2000})
    kill(root, ["ecqg", "repro"], "acquire")
    run(root, *LIGHT, "gold@main")  # which needs it
    check(root, "acquire")
    kill(root, LIGHT, "entities")
    run(root, *LIGHT, "entities")
    check(root, "entities")


def kill(root: Path, command: list[str], stage: str) -> None:
    """A run that is at work on a stage, and on another if that needs nothing of the first."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    with (root.parent / "said").open("w") as said:
        process = subprocess.Popen(
            [*command, stage, "lexical@bm25-main"],
            cwd=root,
            env=environment,
            stdout=said,
            stderr=said,
        )
    until = time.monotonic() + 200
    while not list((root / RESUME / stage).glob("*")) and time.monotonic() < until:
        assert process.poll() is None, (root.parent / "said").read_text()
        time.sleep(0.02)
    time.sleep(0.3)
    family = psutil.Process(process.pid).children(recursive=True)
    # The fork server, the stage (one of forks.EARLY is beside it, others are below it), and what
    # tracks their resources.
    assert len(family) >= 3
    process.kill()
    process.wait()
    assert not left(family, 20)  # the fork server first forgets what it has imported
    assert list((root / RESUME / stage).glob("*"))  # it had not ended
    lock = root / ".dvc/tmp/rwlock"
    assert lock.exists()
    lock.write_text("")  # as a kill leaves it that comes while DVC writes it


def check(root: Path, stage: str) -> None:
    """The stage has ended well."""
    assert "up to date" in run(root, "dvc", "status", stage).stdout
    assert not list((root / RESUME / stage).glob("*"))
