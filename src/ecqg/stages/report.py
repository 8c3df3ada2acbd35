"""The page and the picture that show what came out."""

from __future__ import annotations

from ecqg import paths
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.analyses import render_analyses, write_analysis_plots
from ecqg.report.curves import write_accuracy, write_entropy
from ecqg.report.markdown import render_page
from ecqg.report.picture import draw_accuracy
from ecqg.report.results import read_intervals, read_results


def run(params: Params) -> None:
    """Write metrics/report.md, its pictures and the tables of the plots."""
    results = read_results()
    rows = read_intervals(results.test_sets)
    confidence = params.evaluation.confidence
    draw_accuracy(paths.ACCURACY_PICTURE, rows, results.test_sets, confidence)
    write_accuracy(paths.ACCURACY_PLOT, rows)
    write_entropy(paths.ENTROPY_PLOT, results)
    write_analysis_plots(results, confidence)
    write_text(
        paths.REPORT,
        render_page(results, params.seed, params.aug.passages, render_analyses(results)),
    )
