"""The picture of the DAG is that of today's dvc.yaml."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from declarations import ROOT
from dvc.repo import Repo

from ecqg.errors import InputError
from ecqg.params import load_params
from ecqg.pipeline.drawing import picture
from ecqg.pipeline.steps import (
    OF_ALL,
    STEPS,
    all_edges,
    edges,
    in_characters,
    page,
    read_stages,
)

AGAIN = "run 'ecqg dag' and commit what it writes"


@pytest.fixture(scope="module")
def stages():
    return read_stages(ROOT / "dvc.yaml")


def test_what_is_committed_is_drawn_from_today_s_dvc_yaml(stages) -> None:
    found = edges(stages)
    assert (ROOT / "docs/pipeline.svg").read_text(encoding="utf-8") == picture(found), AGAIN
    assert (ROOT / "docs/pipeline.md").read_text(encoding="utf-8") == page(found, stages), AGAIN
    assert "docs/pipeline.svg" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_steps_are_few() -> None:
    assert 12 <= len(STEPS) <= 18


def test_edges_are_those_that_dvc_sees(stages) -> None:
    step_of = {stage: step for step, members in STEPS.items() for stage in members}
    with Repo(str(ROOT)) as repo:
        pairs = [
            (maker.name.partition("@")[0], user.name.partition("@")[0])
            for user, maker in repo.index.graph.edges
        ]
    seen = {(step_of[a], step_of[b]) for a, b in pairs if OF_ALL not in (a, b)}
    dense = "Pre-training, fine-tuning"  # from the one that selects, a line leads back
    back = {(dense, "Least-attended entities"), (dense, "Filters: reader, hardness")}
    assert back <= seen
    seen = {(a, b) for a, b in seen if a != b} - back
    assert seen <= all_edges(stages)
    if load_params(ROOT / "params.yaml").profile == "microcosm":  # another may lack some stages
        # Mixed-DPR's rankings are re-ranked in the profile microcosm-night.
        assert all_edges(stages) - seen == {("Encoding and search", "Re-ranking")}


def test_lines_that_others_imply_are_left_out(stages) -> None:
    found, everything = edges(stages), all_edges(stages)
    reachable = set(found)
    while more := {(a, d) for a, b in reachable for c, d in found if b == c} - reachable:
        reachable |= more
    assert everything <= reachable
    for a, b in found:
        assert not any((a, c) in reachable and (c, b) in reachable for c in STEPS)


def test_a_stage_without_a_step_is_named(tmp_path: Path) -> None:
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    new = tmp_path / "dvc.yaml"
    new.write_text(text.replace("stages:\n", "stages:\n  novel:\n    cmd: ecqg novel\n", 1))
    with pytest.raises(
        InputError, match=r"stage novel belongs to no step; add to STEPS in ecqg/pip"
    ):
        read_stages(new)
    new.write_text(re.sub(r"\n  encode:\n", "\n  encode2:\n", text))
    with pytest.raises(InputError, match="stage encode2 belongs to no step"):
        read_stages(new)
    new.write_text("stages: {check: {cmd: ecqg check}}\n")
    with pytest.raises(InputError, match="no stage acquire; take out of STEPS"):
        read_stages(new)
    with pytest.raises(InputError, match="run from the repository's root"):
        read_stages(tmp_path / "none.yaml")


def test_the_picture_has_every_step_and_line_apart(stages) -> None:
    found = edges(stages)
    root = ET.fromstring(picture(found))
    svg = "{http://www.w3.org/2000/svg}"
    drawn = root.find(f"{svg}g")
    assert drawn is not None
    assert {text.text for text in drawn.iter(f"{svg}text")} == set(STEPS)
    assert len(drawn.findall(f"{svg}path")) == len(found)
    boxes = [
        [float(box.get(k, "")) for k in ("x", "y", "width", "height")]
        for box in drawn.iter(f"{svg}rect")
    ]
    assert len({(x, y) for x, y, _, _ in boxes}) == len(boxes) == len(STEPS)
    for i, (x, y, w, h) in enumerate(boxes):
        for u, v, _, _ in boxes[:i]:
            assert abs(x - u) >= w or abs(y - v) >= h
    assert (
        float(root.get("width", "")) < 950
    )  # a README's column, where it is at most a little scaled


def test_the_terminal_s_picture_fits(stages) -> None:
    lines = in_characters(edges(stages)).splitlines()
    assert max(map(len, lines)) <= 140
    assert all(any(step in line for line in lines) for step in STEPS)
