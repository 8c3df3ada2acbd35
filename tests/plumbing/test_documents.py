"""What documents name is there: commands, stages, files, functions, parameters, links."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from declarations import ROOT, expand
from ruamel.yaml import YAML
from typer.main import get_command

from ecqg.checking import parse_yaml, read_yaml
from ecqg.cli import app
from ecqg.params import Params, load_params
from ecqg.profiles import FOLDER

INDEX = ROOT / "docs/README.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCE = ROOT / "src/ecqg"
YAML_BLOCK = re.compile(r"^ *```yaml\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def columns(page: Path, *header: str) -> list[list[str]]:
    """The rows of a page's table: what is marked as code in each of these columns."""
    _, _, below = page.read_text(encoding="utf-8").partition(f"| {' | '.join(header)} |\n")
    lines = below.split("\n\n")[0].splitlines()[1:]
    assert lines, header
    cells = [line.strip("|").split("|") for line in lines]
    return [[" ".join(re.findall(r"`([^`]*)`", cell)) for cell in row] for row in cells]


def merged(tree: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = tree.keys() & other.keys()
    inner = {k: merged(tree[k], other[k]) for k in both if isinstance(other[k], dict)}
    return tree | other | inner


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_are_parameters(page: Path, tmp_path: Path) -> None:
    tree = read_yaml(FOLDER / "microcosm.yaml")
    for block in YAML_BLOCK.findall(page.read_text(encoding="utf-8")):
        tree = merged(tree, parse_yaml(dedent(block), page))
        (tmp_path / "params.yaml").write_text(json.dumps(tree), encoding="utf-8")
        load_params(tmp_path / "params.yaml")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_and_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    known = {*get_command(app).list_commands(None), "--help"}
    code = "\n".join(re.findall(r"```sh\n.*?```|`[^`\n]+`", text, re.DOTALL))
    assert set(re.findall(r"\becqg ([a-z-]+)", code)) <= known
    for link, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
        there = page.parent / link if link else page
        assert there.exists(), link
        if anchor:
            titles = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = [re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles]
            assert anchor in anchors


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_examples_write_is_ignored_or_elsewhere(page: Path) -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    written = r"--(?:output|skip-bad) ([\w./-]+)|ecqg export \w+ \w+ ([\w./-]+)"
    for names in re.findall(written, page.read_text(encoding="utf-8")):
        top = "".join(names).split("/")[0]
        assert top == ".." or top.isupper() or f"/{top}/" in ignored, names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_parameters_are_there(page: Path) -> None:
    sections = {field.name for field in fields(Params)}
    names = re.findall(r"`([a-z_]+)((?:\.[a-z_]+)+)(?:: [^`]*)?`", page.read_text(encoding="utf-8"))
    expand({a + rest for a, rest in names if a in sections and rest != ".py"})


def test_where_is_what() -> None:
    page = ROOT / "CONTRIBUTING.md"
    rows = [row[1:] for row in columns(page, "what", "file", "function")]
    rows += [row[2:] for row in columns(page, "between", "wins", "file", "function")]
    for files, names in rows:
        text = "".join((SOURCE / file).read_text(encoding="utf-8") for file in files.split())
        for name in names.split():
            assert re.search(rf"(?:def|class) {name}\b|^{name}(?:: .*)? = ", text, re.MULTILINE)


def test_the_method_names_stages_files_and_parameters() -> None:
    header = ("section", "what", "stages", "file", "parameters", "our decision")
    known = YAML(typ="safe").load(ROOT / "dvc.yaml")["stages"]
    of_all: set[str] = set()
    for _, _, stages, files, parameters, _ in columns(ROOT / "docs/method.md", *header):
        assert {*stages.split()} <= {*known}
        assert all((SOURCE / file).exists() for file in files.split())
        expand({*parameters.split()})
        of_all |= {*stages.split()}
    silent = {"check", "acquire", "distractors", "compare", "headline", "report"}
    assert of_all == {*known} - silent - {"evaluate-lexical", "evaluate-reranked"}


def test_the_index_has_every_document() -> None:
    listed = re.findall(r"\]\((\w+\.md)\)", INDEX.read_text(encoding="utf-8"))
    assert sorted([*listed, INDEX.name]) == sorted(page.name for page in INDEX.parent.glob("*.md"))
    assert "(docs/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 100
