"""`dvc plots show` draws all plots, from what lies on this machine alone."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
import vl_convert
from declarations import ROOT
from dvc.config import Config
from dvc.repo import Repo
from dvc_render import VegaRenderer, render_html
from ruamel.yaml import YAML

from ecqg.errors import InputError
from ecqg.palette import styles
from ecqg.report.names import shown
from ecqg.report.plots_page import VEGA_LITE, write_plots_page

DEFINITIONS: dict[str, Any] = {
    name: definition
    for entry in YAML(typ="safe").load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["plots"]
    for name, definition in entry.items()
}
LOOKS = {
    system: f"{system},{shown(system)},{place},{style.colour}"
    for place, (system, style) in enumerate(
        styles(["dpr", "mixed", *(f"own_{i}" for i in range(9))]).items(), 1
    )
}
# A few rows of each table, as its stage writes it, for a plot to be drawn of.
TABLES = {
    "plots/accuracy.csv": [
        "system,name,place,colour,test_set,k,accuracy,low,high",
        *(f"{LOOKS['dpr']},nq_like,{k}" for k in ("1,50,45,55", "5,70,65,75", "20,80,75,85")),
        *(f"{LOOKS['mixed']},nq_like,{k}" for k in ("1,52,47,57", "5,71,66,76")),
        f"{LOOKS['own_0']},nq_like_no_answer_overlap,1,40,35,45",
    ],
    "plots/entropy.csv": [
        "system,name,place,colour,entropy,low,high",
        *(f"{look},{4 + place / 10},4.0,5.2" for place, look in enumerate(LOOKS.values())),
    ],
    "plots/attention_by_sentence.csv": [
        "system,name,place,colour,sentence,density,share,passages",
        *(
            f"{look},{sentence},{1.5 - (place + sentence) / 20},60,9"
            for place, look in enumerate(LOOKS.values())
            for sentence in (1, 2)
        ),
    ],
    "plots/entity_position.csv": [
        *("which,position,share", "highest,0.05,60", "lowest,0.95,50", "all,0.05,10"),
    ],
    "plots/question_position.csv": [
        *("sentence,question_overlap,answer_location,answer_start", "1,50,40,41", "2,15,25,24"),
    ],
    "plots/answer_position.csv": [
        "question_set,step,sentence,questions,percent",
        *(f"uncon,{row}" for row in ("generated,1,10,100", "reader,1,5,100", "hard,1,2,100")),
        "controls,generated,1,4,100",
    ],
    "plots/loss.csv": [
        *("training,run,step,loss", "finetune-dpr,train,20,4.5", "finetune-dpr,train,40,3.5"),
        *("finetune-dpr,dev,40,3.9", "reader,train,20,5"),
    ],
    "plots/reader_calibration.csv": [
        *("bin,examples,confidence,right", "0.0,10,0.05,0.1", "0.9,10,0.95,0.9"),
    ],
    "plots/analysis/question_overlap.csv": [
        *("source,measure,questions,sentence,percent", "ours,question overlap,gold train,1,50"),
        *(
            'ours,question overlap,"dev, found by DPR",1,51',
            "published,answer location,gold train,1,30",
        ),
    ],
    "plots/analysis/coverage.csv": [
        *("source,test_set,words,coverage", "ours,nq_like,all,57", "published,NQ,not said,58.6"),
    ],
    "plots/analysis/vocabulary.csv": [
        *("source,collection,words,overlap", "ours,biomed_like,100,3", "ours,biomed_like,1000,7"),
    ],
}
MARK = re.compile(r'aria-roledescription="(?:point|bar)"')


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(TABLES[name]))


def renderer(name: str, revisions: tuple[str, ...] = ("workspace",)) -> VegaRenderer:
    """What DVC makes of a plot."""
    definition = DEFINITIONS[name]
    points = [
        {**row, "rev": revision, "filename": name, "field": definition["x"]}
        for revision in revisions
        for row in rows(name)
    ]
    axes = {"x": definition["x"], "template": definition["template"]}
    title = definition.get("title", name)
    return VegaRenderer(points, name, title=title, template_dir=str(ROOT / ".dvc/plots"), **axes)


def svg(name: str, revisions: tuple[str, ...] = ("workspace",)) -> str:
    spec = renderer(name, revisions).get_filled_template()
    return vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)


def test_there_are_at_most_twelve_plots() -> None:
    with Repo(str(ROOT)) as repo:
        pictures = [str(out) for out in repo.index.outs if out.plot]
    assert len(DEFINITIONS) + len(pictures) <= 12
    assert list(DEFINITIONS)[:3] == [
        *("plots/accuracy.csv", "plots/entropy.csv", "plots/attention_by_sentence.csv"),
    ]
    templates = {path.stem for path in (ROOT / ".dvc/plots").glob("*.json")}
    assert {definition["template"] for definition in DEFINITIONS.values()} == templates


def test_plots_are_of_tables_that_stages_write() -> None:
    with Repo(str(ROOT)) as repo:
        outs = {str(out) for out in repo.index.outs}
    assert all(outs & {name, str(Path(name).parent)} for name in DEFINITIONS)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_each_row_of_a_table_is_drawn(name: str) -> None:
    drawn = svg(name)
    title = DEFINITIONS[name].get("title", name)
    assert title in drawn
    assert "workspace" in drawn  # the legend of revisions
    marks = len(MARK.findall(drawn))
    # The plot of accuracy leaves out other k and subsets.
    assert marks == (4 if name == "plots/accuracy.csv" else len(rows(name)))
    assert "NaN" not in drawn and "undefined" not in drawn
    both = svg(name, ("workspace", "HEAD"))
    assert "HEAD" in both
    # Where lines tell revisions apart, the legend's are no invisible ones.
    spec = renderer(name).get_filled_template()
    if "strokeDash" in json.dumps(spec):
        vega = json.dumps(vl_convert.vegalite_to_vega(spec, vl_version=VEGA_LITE))
        assert '"stroke": {"value": "transparent"}' not in vega


def test_accuracy_is_that_of_the_first_passage_and_of_five_and_of_whole_sets() -> None:
    drawn = svg("plots/accuracy.csv")
    assert all(
        text in drawn for text in (">top-1<", ">top-5<", ">nq_like<", ">DPR<", ">Mixed-DPR<")
    )
    assert ">top-20<" not in drawn and "overlap" not in drawn


def test_systems_keep_place_and_colour_where_there_are_more_than_colours() -> None:
    lines = re.findall(
        r'system: (\w+);[^>]*"line mark"[^>]*stroke="(#\w{6})',
        svg("plots/attention_by_sentence.csv"),
    )
    assert dict(lines) == {system: look.rsplit(",", 1)[1] for system, look in LOOKS.items()}
    names = re.findall(r">(DPR|Mixed-DPR|own_.)</text>", svg("plots/entropy.csv"))
    assert names == [shown(system) for system in LOOKS]


@pytest.mark.slow
def test_the_page_needs_no_other_file(tmp_path: Path) -> None:
    dvc = tmp_path / ".dvc"
    dvc.mkdir()
    (dvc / "config").touch()
    (dvc / "config.local").write_text("[cache]\n    dir = /elsewhere\n")
    page = write_plots_page(dvc)
    settings = Config(str(dvc))
    assert settings["cache"]["dir"] == "/elsewhere"  # what else was set stays
    assert dvc / settings["plots"]["html_template"] == page
    out = tmp_path / "out/index.html"
    render_html([renderer("plots/entropy.csv")], out, html_template=page)
    text = out.read_text(encoding="utf-8")
    assert text.count("<script") == 2 and "window.vegaEmbed" in text
    assert not re.search(r"<(script|link)[^>]*(src|href)", text)
    assert "cdn" not in text and not re.search(r"""(import|fetch)\s*\(\s*["']http""", text)
    assert json.dumps("Attention entropy") in text


def test_a_page_has_its_place_in_a_repository_of_dvc(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run from the repository's root"):
        write_plots_page(tmp_path / ".dvc")
