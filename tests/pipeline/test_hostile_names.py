"""Names in params.yaml never reach a shell, and nothing outside of declared outputs is touched."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from declarations import ROOT
from ruamel.yaml import YAML
from tiny import clone, run

from ecqg.pipeline import guard

pytestmark = pytest.mark.slow

NAMES = [
    "../../src",
    "../../bench",
    "x; touch stolen",
    "$(touch stolen)",
    "`touch stolen`",
    "a b",
    "x@y",
]
# Two outputs at one place, and a second "@" in a stage's name.
REFUSED_BY_DVC = {
    "../../bench": "output 'bench' is already specified in stage: 'public@../../bench'",
    "../../src": "defined as both a dependency and an output in stages: ",
    "x@y": "not found inside 'dvc.yaml'",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "clone"
    root.mkdir()
    clone(root)
    return root


ENTRIES = {
    "collections": {"folder": "data/raw/movies", "test_sets": {}},
    "gold_sets": {"folder": "data/raw/movies", "collection": "main"},
    "reading_sets": {"folder": "data/raw/movies"},
    "distractors": "data/raw/movies",
    "public": {"source": "folder", "question": "data/raw", "passage": "data/raw"},
    "pretrained": {"start": "init", "questions": {"unconditioned": 1.0}},
    "question_sets": {
        "generator": "unconditioned", "entities": None, "passages": 1, "questions": 1, "filters": []
    },
    "systems.dense": {"start": "init", "gold": "main"},
}  # fmt: skip


def add_entries(root: Path, name: str, *sections: str) -> None:
    yaml = YAML()
    run(root, "git", "checkout", "-q", "params.yaml")
    tree = yaml.load((root / "params.yaml").read_text(encoding="utf-8"))
    for section in sections:
        found = tree
        for part in section.split("."):
            found = found[part]
        found[name] = ENTRIES[section]
    with (root / "params.yaml").open("w", encoding="utf-8") as out:
        yaml.dump(tree, out)


@pytest.mark.parametrize(
    "runner",
    [
        pytest.param(("dvc", "repro"), id="dvc"),
        pytest.param(("ecqg", "repro"), id="ecqg"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_a_path_or_a_command_stops_before_anything_runs(
    root: Path, name: str, runner: tuple[str, ...]
) -> None:
    add_entries(root, name, "public")
    kept = root / "data/code/kept.txt"  # made by an earlier run, for all that DVC knows
    kept.parent.mkdir(exist_ok=True, parents=True)
    kept.write_text("kept")
    result = run(root, *runner, check=False)
    assert result.returncode
    said = result.stdout + result.stderr
    ours = f"params.yaml: public has the name {name!r}; write a small letter"
    guards = f"params.yaml: the stage public@{name} has the output"  # where `make setup` was called
    dvcs = [REFUSED_BY_DVC.get(name, ours), guards] if runner[0] == "dvc" else []
    assert any(words in said for words in [ours, *dvcs])
    assert "Traceback" not in said
    assert run(root, "git", "status", "--porcelain").stdout == " M params.yaml\n"
    assert [p.name for p in (root / "data").rglob("*.txt")] == ["kept.txt"]
    assert not list(root.parent.rglob("stolen"))


def test_no_command_holds_a_name(root: Path) -> None:
    """DVC's own reading of dvc.yaml, with a name that no shell could take apart otherwise."""
    name = "$(touch stolen)"
    add_entries(root, name, *ENTRIES)
    program = (
        "from dvc.repo import Repo\n"
        "for stage in Repo().index.stages: print(stage.addressing, stage.cmd, sep='\\t')"
    )
    environment = {**os.environ, "DVC_NO_ANALYTICS": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root, env=environment, text=True, capture_output=True, check=True,
    ).stdout  # fmt: skip
    rows = [line.split("\t") for line in shown.splitlines()]
    named = {stage.partition("@")[0] for stage, _ in rows if name in stage}
    assert named >= {
        "collection", "gold", "reading", "distractors", "public", "pretrain", "generate", "finetune"
    }  # fmt: skip
    assert not any("touch" in command for _, command in rows)


def test_outs_are_where_the_guard_allows_them() -> None:
    stages = YAML().load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"].values()
    outs = [
        Path(next(iter(out)) if isinstance(out, dict) else out)
        for stage in stages
        for key in ("outs", "metrics", "plots")
        for out in stage.get("do", stage).get(key, ())
    ]
    assert {out.parts[0] for out in outs} == set(guard.FOLDERS)


def test_the_line_is_written_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda which: str(tmp_path))
    assert not guard.installed()
    runpy.run_path(guard.__file__, run_name="__main__")
    assert [file.name for file in tmp_path.iterdir()] == [guard.FILE]
    assert guard.installed()


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("dvc repro --single-item", "../../docs"),
        ("dvc repro --single-item", "../../../victim"),
        ("dvc repro --downstream", "../mine"),
        ("dvc repro --ignore-errors", "../../docs"),
        ("dvc exp run --single-item", "../../../victim"),
        ("python -m dvc repro --single-item", "../mine"),
        ("dvc checkout --force", "../../docs"),
    ],
)
def test_dvc_deletes_nothing_that_no_stage_makes(
    root: Path, guarded: Path, command: str, name: str
) -> None:
    """Though none of these runs `check` first."""
    add_entries(root, name, "reading_sets")
    kept = root / "data/reading" / name / "kept.txt"
    (root / "data/reading").mkdir(exist_ok=True, parents=True)
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("kept")
    target = f"reading@{name}"
    result = run(root, *command.split(), target, check=False, first_on_path=guarded)
    assert kept.read_text() == "kept"
    said = f"params.yaml: the stage {target} has the output data/reading/{name}; an entry's name"
    assert said in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode or "--ignore-errors" in command


def test_the_guard_leaves_other_pipelines_alone(tmp_path: Path, guarded: Path) -> None:
    stages = {"other": {"cmd": "echo new > out", "outs": ["out"]}}
    YAML().dump({"stages": stages}, tmp_path / "dvc.yaml")
    (tmp_path / "out").write_text("old")
    run(tmp_path, "dvc", "init", "--no-scm", "-q")
    run(tmp_path, "dvc", "repro", first_on_path=guarded)
    assert (tmp_path / "out").read_text() == "new\n"
