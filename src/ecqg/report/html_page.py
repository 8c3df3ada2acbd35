"""plots/report.html: all of a run on one page that needs no other file and no network.

The same inputs give the same bytes. So the commit and the times of stages are not on it, but on
plots/run.html, a copy with them (ecqg.report.run_page).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markupsafe import Markup
from msgspec import to_builtins

from ecqg import closure, numerics, palette, paths, templates
from ecqg.attention.heatmap import HeatMap
from ecqg.attention.shading import STYLE, shade
from ecqg.errors import printable
from ecqg.files import read_as
from ecqg.report import analyses, charts, formats, layout, measured, premises, published, summary
from ecqg.report.fates import EASY, ELSEWHERE, FATES, OTHER, UNSURE, read_fates
from ecqg.report.formats import Row, Table, fixed
from ecqg.report.names import shown
from ecqg.report.results import Results
from ecqg.tables import flat_values

MODULES = (analyses, formats, layout, measured, paths, premises, published)  # as the template calls


def render_html(
    results: Results, parameters: Mapping[str, Any], passages: int, stale: Sequence[str] = ()
) -> str:
    """The whole page, from the tables of `dvc plots` (ecqg.report.plots) and others.

    `parameters` are sections of params.yaml; `passages` is how many AugDPR's synthetic questions
    were sampled from; `stale` are lines on what does not match params.yaml (ecqg.report.stale).
    """
    study = results.study
    groups = [ks for ks in published.all_ks() if {*study.ks}.issuperset(ks)]
    if left := sorted({*study.ks}.difference(*groups)):
        groups.append(tuple(left))
    heat_map = None
    if paths.HEATMAP.is_file():
        heat_map = read_as(paths.HEATMAP, HeatMap, "no heat map", "run 'ecqg heatmap' again")
    filters = parameters["filter"]
    asked = {name: parameters["question_sets"][name].filters for name in study.asked}
    counts, sample = read_fates(asked, filters)
    drawn = {
        "accuracy": charts.accuracy_charts(results, parameters["evaluation"].confidence),
        "attention": charts.attention_charts() + charts.explanation_charts(results),
        "questions": charts.question_charts(),
        "answers": charts.answer_charts(),
        "losses": charts.loss_charts(),
    }
    specs = [chart.spec() for of in drawn.values() for chart in of]
    return templates.fill(
        __file__,
        _shown,
        results=results,
        study=study,
        groups=groups,
        passages=passages,
        stale=stale,
        question=summary.QUESTION,
        verdict=summary.verdict(results),
        heat_map=heat_map,
        heading=3,
        shade=shade,
        charts=drawn,
        specs=Markup(json.dumps(specs).replace("<", "\\u003c")),
        vega=Markup(_vega()),
        fates=Table(
            ["question set", "generated", *FATES],
            [Row([name, *(f"{n:,}" for n in (sum(of.values()), *of.values()))])
             for name, of in counts.items()],
        ),
        reasons={UNSURE: f"confidence below {filters.reader_threshold:g}",
                 OTHER: "the reader's answer is not the generated one",
                 ELSEWHERE: "it stands in a sentence that does not name the entity",
                 EASY: "the selecting system scores it above the cut"},
        sample=sample,
        last=_last_losses(drawn["losses"]),
        parameters=_parameters(parameters),
        environment=_environment(),
        dark=palette.DARK,
        papers=published.papers(),
        shown=shown,
        **{module.__name__.rpartition(".")[2]: module for module in MODULES},
        **STYLE,
    )  # fmt: skip


def _shown(text: str) -> str:
    """As HTML; what would change the order of letters is an escape."""
    return escape(printable(text))


@cache
def _vega() -> str:
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", charts.VEGA_LITE)


def _last_losses(trainings: Sequence[charts.Chart]) -> Table:
    rows = []
    for chart in trainings:
        last = chart.frame.groupby("series", sort=False).last()
        losses = [fixed(last["value"].get(run), 3) for run in ("train", "dev")]
        rows.append(Row([chart.title, f"{chart.frame['at'].max():,}", *losses]))
    return Table(["training", "updates", "last loss", "on dev"], rows)


def _parameters(sections: Mapping[str, Any]) -> Table:
    """By dotted name, as params.yaml has them."""
    rows = [Row([n.replace("/", "."), str(v)]) for n, v in flat_values(to_builtins(sections))]
    return Table(["parameter", "value"], rows)


def _environment() -> Table:
    """Python, how libraries compute, and the minor versions of those that are required."""
    rows = [("Python", ".".join(map(str, sys.version_info[:2]))), ("numerics", numerics.mode())]
    rows += [(name, ".".join(v.split(".")[:2])) for name, v in sorted(closure.versions().items())]
    return Table(["", "version"], [Row([*row]) for row in rows])
