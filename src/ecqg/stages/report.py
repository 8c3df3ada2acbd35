"""The page and the picture that show what came out."""

from __future__ import annotations

import os

from ecqg import paths
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.page import render_page
from ecqg.report.plots import write_plots
from ecqg.report.results import Study, read_results
from ecqg.report.stale import complaints


def run(params: Params) -> None:
    """Write paths.REPORT, its pictures and the tables of the plots."""
    results = read_results(study(params))
    write_plots(results, params.evaluation.confidence)
    # DVC runs a stage when all before it is up to date.
    stale = [] if "DVC_STAGE" in os.environ else complaints(results)
    write_text(paths.REPORT, render_page(results, params.seed, params.aug.passages, stale))


def study(params: Params) -> Study:
    """What params.yaml names, for the report and the table in the terminal."""
    return Study(
        systems=params.systems,
        reranked=params.rerank.first_stages,
        test_sets=tuple(params.corpus.test_sets),
        zero_shot=tuple(params.zero_shot),
        supervised={name: of.collection for name, of in params.supervised.items()},
        analysed=params.analysis.systems,
        ks=params.evaluation.ks,
        published=params.published,
        embedded=params.corpus.source == "microcosm",
    )
