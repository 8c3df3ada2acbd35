"""The whole DAG, run once at tiny size in a repository of its own, and DVC's guard."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from same_outs import digests
from tiny import TINY, Pipeline, clone, edit, run

from ecqg.pipeline import guard


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """`ecqg repro`, as `make repro` calls it, on the tiny profile, from a clean clone.

    What works in it stays in one process; see tests/conftest.py.
    """
    root = _tiny_run(tmp_path_factory) / "clone"
    return Pipeline(root, root.parent / "audit.tsv", digests(root))


@pytest.fixture(scope="session")
def finished_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the run wrote, for tests that need no repository; any process may have it."""
    return _tiny_run(tmp_path_factory) / "copy"


def _tiny_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the run that pytest-xdist's processes share; the first of them makes it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tiny-run"
    folder.mkdir(exist_ok=True)
    root, done = folder / "clone", folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            root.mkdir()  # it is there where the run has failed in another process
            clone(root)
            edit(root / "params.yaml", TINY)
            run(root, "ecqg", "repro")
            run(root, "git", "add", "-A")
            run(root, "git", "commit", "-q", "-m", "tiny run")
            shutil.copytree(root, folder / "copy", ignore=shutil.ignore_patterns(".git", ".dvc"))
            done.touch()
    return folder


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that Python takes for one of site-packages, with what `make setup` writes."""
    folder = tmp_path_factory.mktemp("site")
    (folder / guard.FILE).write_text(guard.LINE, encoding="utf-8")
    program = f"import site; site.addsitedir({str(folder)!r})"
    (folder / "sitecustomize.py").write_text(program, encoding="utf-8")
    return folder
