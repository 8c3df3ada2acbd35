"""Write the pages, the picture and the plots that show what came out."""

from __future__ import annotations

import os

from ecqg import paths
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.html_page import render_html
from ecqg.report.page import render_page
from ecqg.report.plots import write_plots
from ecqg.report.results import Study, read_results
from ecqg.report.stale import complaints
from ecqg.systems import references

# Of params.yaml, what the page does not show (a name for people, and folders): no reason to write
# it anew.
HIDDEN = ("profile", "distractors")


def run(params: Params) -> None:
    """Write paths.REPORT and REPORT_HTML, the picture and the tables of the plots."""
    results = read_results(study(params))
    write_plots(results, params.evaluation.confidence)
    # DVC runs a stage when all before it is up to date.
    stale = [] if "DVC_STAGE" in os.environ else complaints(results)
    aug = params.pretrained.get("aug")
    passages = sum(params.question_sets[name].passages for name in aug.questions) if aug else 0
    write_text(paths.REPORT, render_page(results, params.seed, stale))
    shown = {name: value for name, value in vars(params).items() if name not in HIDDEN}
    write_text(paths.REPORT_HTML, render_html(results, shown, passages, stale))


def study(params: Params) -> Study:
    """What params.yaml names, for the report and the table in the terminal."""
    main_first = sorted(params.collections, key=lambda name: name != paths.MAIN)
    return Study(
        lexical=params.systems.lexical,
        dense=tuple(params.systems.dense),
        references=references(params.systems),
        reranked=params.systems.reranked,
        collections={name: tuple(params.collections[name].test_sets) for name in main_first},
        analysed=params.analysis.systems,
        asked=tuple(params.question_sets),
        about=next((n for n, of in params.question_sets.items() if of.entities), ""),
        pretrained=tuple(params.pretrained),
        generators=params.generator.kinds,
        ks=params.evaluation.ks,
        published=params.published,
        embedded=params.source == "microcosm",
    )
