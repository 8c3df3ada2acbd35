"""dvc.yaml says exactly what the code reads: parameters, code, items."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from declarations import (
    ROOT,
    STAGES,
    expand,
    leaves,
    parameters_read,
    stage_modules,
)
from ruamel.yaml import YAML

from ecqg.checking import parse_yaml
from ecqg.closure import imports
from ecqg.items import ITEMS
from ecqg.params import build_params
from ecqg.profiles import FOLDER, describe, whole
from ecqg.stage_commands import read_stages
from ecqg.systems import LEXICAL

FILE = YAML(typ="safe").load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))
DVC = FILE["stages"]
# docs/architecture.md: a room imports only rooms below it.
ORDER = [
    "parallel",
    "corpus",
    "microcosm",
    "training",
    "evaluation",
    "lexical",
    "encoder",
    "search",
    "attention",
    "questions",
    "weights",
    "reading",
    "reranking",
    "synthesis",
    "analysis",
    "report",
    "probe",
    "inspection",
    "stages",
    "planning",
    "pipeline",
    "onboarding",
    "adapt",
    "commands",
]


def body(stage: str) -> dict[str, Any]:
    """A stage's definition, also where it stands under foreach."""
    definition = DVC[stage]
    return definition.get("do", definition)  # type: ignore[no-any-return]


def module(stage: str) -> str:
    """The stage module that a stage's command runs."""
    command = re.fullmatch(r"ecqg ([a-z0-9-]+)( [a-z@_-]+)*", body(stage)["cmd"])
    assert command, f"{stage}: {body(stage)['cmd']} is no ecqg command"
    return command[1].replace("-", "_")


@pytest.mark.parametrize("stage", DVC)
def test_a_command_names_the_items_that_the_module_takes(stage: str) -> None:
    arguments = body(stage)["cmd"].split()[2:]
    run = importlib.import_module(f"ecqg.stages.{module(stage)}").run
    takes = list(inspect.signature(run).parameters.values())[1:]
    assert len(arguments) <= len(takes)
    assert all(one.default is not one.empty for one in takes[len(arguments) :])
    kinds = {one.command: list(one.items.values()) for one in read_stages()}
    listed = kinds[module(stage).replace("_", "-")]
    assert [(one.annotation, one.default is not one.empty) for one in takes] == listed
    for argument, (kind, _) in zip(arguments, listed, strict=False):
        assert argument.startswith("@") and kind in ITEMS


@pytest.mark.parametrize("stage", sorted(set(DVC) - {"check"}))
def test_declared_parameters_are_those_read(stage: str) -> None:
    declared = {str(p) for p in body(stage).get("params", [])}
    if "${item.system}" in declared:  # a section that is called as the system is
        declared = declared - {"${item.system}"} | set(LEXICAL)
    assert expand(declared) == parameters_read(module(stage))


@pytest.mark.parametrize("stage", sorted(set(DVC) - {"check"}))
def test_a_stage_depends_on_its_code_alone(stage: str) -> None:
    declared = [d for d in body(stage)["deps"] if d.startswith(("src/", "data/code"))]
    assert declared == [f"data/code/{module(stage)}.txt"]


def test_the_first_stage_depends_on_all_parameters_and_all_code() -> None:
    assert body("check")["deps"] == ["constraints.txt", "families", "params.yaml", "src/ecqg"]
    assert body("check")["outs"] == [{"data/code": {"persist": True}}]


@pytest.mark.parametrize("stage", DVC)
def test_every_stage_has_a_description(stage: str) -> None:
    assert len(body(stage)["desc"]) > 20


@pytest.mark.parametrize("stage", DVC)
def test_what_people_read_lives_in_git_and_data_in_the_cache(stage: str) -> None:
    for kind in ("outs", "metrics", "plots"):
        for entry in body(stage).get(kind, []):
            if isinstance(entry, str):
                assert kind == "outs"
                assert entry.startswith("data/")
            elif stage != "check":
                ((path, options),) = entry.items()
                assert path == "metrics" or path.startswith(("plots/", "results/"))
                assert options["cache"] is False


def test_metrics_are_the_headline_alone() -> None:
    whole = YAML(typ="safe").load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))
    assert whole["metrics"] == ["metrics"]
    assert not [stage for stage in DVC if "metrics" in body(stage)]
    assert {"metrics": {"cache": False}} in body("headline")["outs"]


def test_every_stage_module_is_a_stage() -> None:
    assert {module(stage) for stage in DVC} == set(stage_modules())


def test_every_parameter_is_read_by_a_stage() -> None:
    read = set().union(*(parameters_read(name) for name in {*stage_modules()} - {"check"}))
    assert set(leaves()) - read == {"profile"}  # a name for people


@pytest.mark.parametrize("name", [name for name, _ in describe()])
def test_profiles_are_complete_and_named_after_their_file(name: str) -> None:
    assert build_params(parse_yaml(whole(name), name)).profile == name


def test_the_committed_parameters_are_the_default_profile() -> None:
    committed = (ROOT / "params.yaml").read_text(encoding="utf-8")
    assert committed == (FOLDER / "microcosm.yaml").read_text(encoding="utf-8")


def test_rooms_import_downwards_only() -> None:
    source = STAGES.parent
    rooms = {p.name for p in source.iterdir() if (p / "__init__.py").is_file()} - {"profiles"}
    assert rooms == set(ORDER)
    for room in ORDER:
        for path in (source / room).rglob("*.py"):
            for imported in imports(path):
                parts = imported.relative_to(source).parts
                if len(parts) > 1 and parts[0] in ORDER:
                    below = ORDER.index(parts[0]) <= ORDER.index(room)
                    assert below, f"{path.relative_to(source)} imports {'/'.join(parts)}"


def test_rooms_never_see_all_parameters() -> None:
    for room in set(ORDER) - {"stages", "planning", "adapt", "commands"}:  # about stages
        for path in (STAGES.parent / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\bload_params\b|import .*\bParams\b(?!, )", text), path


def test_artifacts_are_outs_of_the_default() -> None:
    from dvc.repo import Repo

    with Repo(str(ROOT)) as repo:
        outs = {out.def_path for stage in repo.index.stages for out in stage.outs}
        listed = repo.artifacts.read()["dvc.yaml"]
    assert {"retriever-mixed", "reader"} <= {*listed}
    assert {artifact.path for artifact in listed.values()} <= outs


def test_what_is_committed_is_of_the_default() -> None:
    """DVC removes neither the files nor dvc.lock's entries of a stage that is no longer one."""
    from dvc.repo import Repo

    folders = ("metrics", "plots", "results")
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, text=True, capture_output=True, check=True
    ).stdout.splitlines()
    with Repo(str(ROOT)) as repo:
        outs = {out.def_path for stage in repo.index.stages for out in stage.outs}
        stages = {stage.addressing for stage in repo.index.stages}
    assert listed
    assert [f for f in listed if not {f, *map(str, Path(f).parents)} & outs] == []
    locked = YAML(typ="safe").load((ROOT / "dvc.lock").read_text(encoding="utf-8"))["stages"]
    assert set(locked) == stages
