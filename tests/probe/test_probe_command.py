"""The whole command, where no checkout is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ecqg.cli import app


def ecqg(folder, *arguments):
    command = [sys.executable, "-m", "ecqg", "probe", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "120"}
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, check=False, env=environment
    )


@pytest.mark.slow
def test_two_models_side_by_side(mean_folder, cls_folder, tmp_path):
    done = ecqg(tmp_path, mean_folder, cls_folder, "--limit", "200", "--max-tokens", "60", "--ask")
    assert done.returncode == 0, done.stderr
    assert "mean" in done.stdout
    assert len(done.stdout.splitlines()) <= 40
    assert sorted(p.name for p in tmp_path.iterdir()) == ["probe"]
    figures = json.loads((tmp_path / "probe" / "probe.json").read_text())
    assert [one["name"] for one in figures["models"]] == ["mean", "cls"]
    for one in figures["models"]:
        assert one["look"]["cut"] > 90
        assert one["found"]["all"]["questions"] == 100
        assert one["asked"]["lowest"]["questions"] > 50
    text = (tmp_path / "probe" / "probe.html").read_text()
    assert text.count("<p class=passage>") == 6
    for bar in ("mean: attention", "cls: attention", "entities", "mean: answers first"):
        assert bar in done.stderr


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["nowhere"], "nowhere: no such folder; give a folder"),
        (["x", "--questions", "q"], "--questions are about --passages; give both"),
        (["x", "--passages", "p", "--qrels", "q"], "--qrels judge --questions; give both"),
        (["x", "--generator", "g"], "--generator writes questions; add --ask"),
        (["x", "--passages", "p", "--ask"], "no generator: "),
    ],
)
def test_what_does_not_go_together_is_one_line(arguments, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["probe", *arguments])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"ecqg: {wrong}")
    assert done.stderr.count("\n") == 1
    assert not [*tmp_path.iterdir()]
