"""What DVC shows of the default study fits a screen, and what only judges loads no model."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from declarations import ROOT, STAGES, parameters_read, stage_modules

from ecqg import numerics, paths
from ecqg.attention.per_passage import HEADER
from ecqg.closure import imports, modules
from ecqg.corpus.questions import Question
from ecqg.evaluation.topk import write_per_query
from ecqg.params import load_params
from ecqg.stages import headline
from ecqg.systems import LEXICAL, references
from ecqg.tables import write_table

COLUMNS, ROWS, CHARACTERS = 400, 110, 14_000
MODELS = {"torch", "transformers", "tokenizers", "safetensors"}


def measure(seed: int) -> None:
    """Figures of all systems and test sets of the default study, those of a seed."""
    params, rng = load_params(ROOT / "params.yaml"), np.random.default_rng(seed)
    sets = [(name, asked) for name, of in params.collections.items() for asked in of.test_sets]
    questions = [Question(str(i), "?", ("x",)) for i in range(997)]
    for system in (*LEXICAL, *params.systems.dense):
        for collection, name in sets:
            file = paths.per_query(system, collection) / f"{name}.csv"
            write_per_query(file, questions, rng.integers(0, 12, len(questions)))
    for system in params.systems.dense:
        values = rng.uniform(0.5, 5, (50, 3))
        rows = [[f"p{i}", i, 90, *row, 1, 0] for i, row in enumerate(values)]
        write_table(paths.attention_per_passage(system), HEADER, rows)
    headline.run(params)


@pytest.fixture
def two_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with the metrics of one run committed, those of another beside."""
    monkeypatch.chdir(tmp_path)
    tool("git", "init", "-q", "-b", "main")
    tool("dvc", "init", "-q")
    Path("dvc.yaml").write_text("metrics:\n  - metrics\n")
    monkeypatch.setattr(numerics, "mode", lambda: numerics.PORTABLE)
    measure(1)
    tool("git", "add", "dvc.yaml", "metrics", ".dvc")
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    tool("git", *who, "commit", "-q", "-m", "one")
    monkeypatch.setattr(numerics, "mode", lambda: numerics.NATIVE)
    measure(2)


def tool(name: str, *arguments: str) -> str:
    found = Path(sys.executable).parent / name
    command = [str(found) if found.is_file() else name, *arguments]
    settings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "DVC_NO_ANALYTICS": "1"}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=settings)
    return result.stdout


@pytest.mark.slow
def test_metrics_of_two_runs_of_the_default_study_fit_a_screen_and_a_comment(
    two_runs: None,
) -> None:
    named = load_params(ROOT / "params.yaml").systems
    systems = [*LEXICAL, *(name for name in named.dense if name not in references(named))]
    shown = tool("dvc", "metrics", "show").splitlines()
    assert max(map(len, shown)) <= COLUMNS
    assert sorted(line.split()[0] for line in shown[1:]) == sorted(
        f"metrics/{name}.json" for name in [*systems, "numerics"]
    )
    rows = tool("dvc", "metrics", "diff").splitlines()[1:]
    # All have changed: 7 test sets, twice, of 6 systems, 3 measures of 4, and the numerics.
    assert 90 < len(rows) <= ROWS
    assert max(map(len, rows)) <= 100
    named_here = {row.split()[0].removeprefix("metrics/")[:-5] for row in rows}
    assert named_here == {*systems, "numerics"}
    assert {row.split()[1] for row in rows} >= {"nq_like.top1", "tail.top5", "entropy"}
    assert len(tool("dvc", "metrics", "diff", "--md")) <= CHARACTERS


def test_the_readme_says_how_to_look_at_experiments() -> None:
    assert "make experiments" in (ROOT / "README.md").read_text(encoding="utf-8")


def imported(file: Path) -> set[str]:
    """Packages that a module imports, wherever in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def loads_a_model(stage: str) -> bool:
    """Whether a stage module, or what it imports through others, imports a library of models."""
    files = modules(STAGES / f"{stage}.py")
    beside = {found for file in files for found in imports(file)}  # plumbing, too
    # Of the random streams, only those of torch import it, and when they are called.
    return any(
        MODELS & imported(file) or "torch_rng" in file.read_text(encoding="utf-8")
        for file in {*files, *beside} - {STAGES.parent / "seeds.py"}
    )


@pytest.mark.slow
def test_what_only_judges_loads_no_model() -> None:
    """Every stage that reads a parameter of `evaluation`, and all that follow by dvc.yaml."""
    from dvc.repo import Repo

    readers = {
        name
        for name in {*stage_modules()} - {"check"}  # which takes params.yaml whole
        if any(leaf.startswith("evaluation.") for leaf in parameters_read(name))
    }
    assert readers == {"judge", "compare", "explanation", "report"}
    with Repo(str(ROOT)) as repo:
        graph = repo.index.graph
        named = {stage: stage.cmd.split()[1].replace("-", "_") for stage in graph}
    todo = {stage for stage in graph if named[stage] in readers}
    rerun = set(todo)
    while todo:
        todo = {after for stage in todo for after in graph.predecessors(stage)} - rerun
        rerun |= todo
    assert {named[stage] for stage in rerun} == readers
    assert not [name for name in readers if loads_a_model(name)]
    assert loads_a_model("attention") and loads_a_model("overlap")  # so it can be seen
