"""An output that somebody changed in place is noticed, and so is a damaged cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from declarations import ROOT
from tiny import run

DEFINITION = "stages:\n  make:\n    cmd: mkdir out && echo one > out/a\n    outs: [out]\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with our DVC settings and one finished stage."""
    run(tmp_path, "git", "init", "-q")
    (tmp_path / ".dvc").mkdir()
    shutil.copy(ROOT / ".dvc/config", tmp_path / ".dvc/config")
    (tmp_path / "dvc.yaml").write_text(DEFINITION)
    run(tmp_path, "dvc", "repro")
    return tmp_path


def overwrite(path: Path) -> None:
    path.chmod(0o644)
    path.write_text("two\n")


@pytest.mark.slow
def test_dvc_notices_an_output_that_was_changed_in_place(root: Path) -> None:
    overwrite(root / "out/a")
    assert "modified" in run(root, "dvc", "status").stdout
    assert run(root, "ecqg", "verify-cache").stdout == "2 files of 0 MB hold what their names say\n"
    run(root, "dvc", "checkout", "--force")
    assert (root / "out/a").read_text() == "one\n"


@pytest.mark.slow
def test_a_damaged_cache_is_named(root: Path) -> None:
    (damaged,) = (p for p in root.glob(".dvc/cache/files/md5/??/*") if p.suffix != ".dir")
    overwrite(damaged)
    result = run(root, "ecqg", "verify-cache", check=False)
    assert result.returncode == 1
    assert f"damaged: {damaged}\n" in result.stderr
    damaged.unlink()
    shutil.rmtree(root / "out")
    run(root, "dvc", "repro")
    assert (root / "out/a").read_text() == "one\n"
    run(root, "ecqg", "verify-cache")


@pytest.mark.slow
def test_outside_of_a_repository_it_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path, "ecqg", "verify-cache", check=False)
    assert result.stderr == "ecqg: this is no DVC repository; go to the one you cloned\n"
