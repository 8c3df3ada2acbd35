"""What a user sees: one line for bad input, help that names every stage."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from typer.main import get_command

from ecqg import __version__
from ecqg.cli import app
from ecqg.profiles import FOLDER


def ecqg(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ecqg", *arguments]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)


def test_an_unknown_parameter_is_one_line_and_status_1(tmp_path: Path) -> None:
    text = (FOLDER / "microcosm.yaml").read_text(encoding="utf-8")
    (tmp_path / "params.yaml").write_text(text + "\nsize: 3\n", encoding="utf-8")
    result = ecqg(tmp_path, "acquire")
    assert result.returncode == 1
    assert result.stderr.startswith("ecqg: params.yaml: unknown parameter size; known: ")
    assert result.stderr.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["params.yaml"]


def test_no_parameter_file(tmp_path: Path) -> None:
    result = ecqg(tmp_path, "entities")
    assert (result.returncode, result.stderr) == (
        1,
        "ecqg: params.yaml: no such file; run from the repository's root\n",
    )


def test_a_system_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_bytes((FOLDER / "microcosm.yaml").read_bytes())
    result = ecqg(tmp_path, "finetune", "colbert")
    known = "dpr, uncon, mixed, aug"
    assert (result.returncode, result.stderr) == (
        1,
        f"ecqg: params.yaml: systems.dense has no colbert; known: {known}\n",
    )
    result = ecqg(tmp_path, "lexical", "colbert", "main")
    assert result.returncode == 2
    assert "must be tfidf or bm25" in result.stderr


FIRST = ["repro", "probe", "adapt", "report", "search", "explain", "explore", "sweep", "verify"]
FIRST += ["new-profile", "doctor"]


def test_help_fits_a_screen_and_leaves_the_stages_to_a_command_of_their_own() -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    command = [sys.executable, "-m", "ecqg", "--help"]
    shown = subprocess.run(command, text=True, capture_output=True, check=True, env=environment)
    lines = shown.stdout.splitlines()
    assert len(lines) <= 46 and max(map(len, lines)) <= 80
    listed = [line[2:].split()[0] for line in lines if line.startswith("│ ") and line[2].islower()]
    assert listed[: len(FIRST)] == FIRST  # each on one line, people's commands first
    assert len(listed) == len({*listed} & {*get_command(app).commands})
    assert "entity-attention" not in listed


def test_stages_are_listed_in_the_order_of_the_method() -> None:
    root = Path(__file__).parents[2]
    listed = [line.split()[0] for line in ecqg(root, "stages").stdout.splitlines()]
    stages = {p.stem.replace("_", "-") for p in (root / "src/ecqg/stages").glob("[a-z]*.py")}
    assert sorted(listed) == sorted(stages)
    order = ["check", "acquire", "entities", "entity-attention", "select", "finetune", "report"]
    assert [name for name in listed if name in order] == order
    assert ecqg(root, "encode", "--help").stdout.count("\n") < 30


def test_the_version() -> None:
    assert ecqg(Path(), "--version").stdout == f"ecqg {__version__}\n"


def test_the_checkout_that_one_stands_in_is_what_runs(tmp_path: Path) -> None:
    package = tmp_path / "src" / "ecqg"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "cli.py").write_text("def app():\n    print('the copy')\n")
    assert ecqg(tmp_path, "--help").stdout == "the copy\n"
