"""The page and the picture that show what came out."""

from __future__ import annotations

import os

from ecqg import paths
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.analyses import render_analyses, write_analysis_plots
from ecqg.report.curves import write_accuracy, write_by_sentence, write_entropy
from ecqg.report.markdown import render_page
from ecqg.report.picture import draw_accuracy
from ecqg.report.results import Study, read_results
from ecqg.report.stale import complaints


def run(params: Params) -> None:
    """Write paths.REPORT, its pictures and the tables of the plots."""
    results = read_results(study(params))
    confidence = params.evaluation.confidence
    draw_accuracy(paths.ACCURACY_PICTURE, results.intervals, results.test_sets, confidence)
    write_accuracy(paths.ACCURACY_PLOT, results.intervals)
    write_entropy(paths.ENTROPY_PLOT, results)
    write_by_sentence(paths.BY_SENTENCE_PLOT, results.attention)
    write_analysis_plots(results, confidence)
    # DVC runs a stage when all before it is up to date.
    stale = [] if "DVC_STAGE" in os.environ else complaints(results)
    analyses = render_analyses(results)
    page = render_page(results, params.seed, params.aug.passages, analyses, stale)
    write_text(paths.REPORT, page)


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
