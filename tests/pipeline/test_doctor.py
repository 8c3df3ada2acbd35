"""What `ecqg doctor` says of a machine that has all, and of one that lacks something."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ecqg.cli import app
from ecqg.pipeline import doctor

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_a_machine_that_runs_the_tests_has_what_the_default_needs() -> None:
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0, result.stdout
    assert "MISSING" not in result.stdout
    assert "digests are right" in result.stdout


def test_what_is_missing_is_named_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "weights").mkdir()
    monkeypatch.setattr(doctor, "SHIPPED", (tmp_path / "weights", tmp_path / "none"))
    monkeypatch.setattr(doctor, "OPTIONAL", {"no-such-package": "Weights"})
    monkeypatch.setattr(doctor, "room", lambda folder: 10**9)
    monkeypatch.setattr(doctor, "installed", lambda: False)
    monkeypatch.setattr(doctor, "java_home", lambda: import_module("no_such_runtime"))
    found = {finding.what: finding for finding in doctor.examine("xx_no_model")}
    missing = {what for what, finding in found.items() if finding.missing}
    none = f"weights: {tmp_path / 'none'}"
    assert {"spaCy's model", none, "Weights", "disk", "DVC's guard", "Java"} <= missing
    assert "'make setup' installs it" in found["Java"].missing
    assert found["disk"].missing == "make room: the default takes 3 GB with its cache"
    assert not found["Weights"].needed and not found["DVC's guard"].needed
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "MISSING" in result.stdout
