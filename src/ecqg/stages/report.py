"""The page and the picture that show what came out."""

from __future__ import annotations

from ecqg import paths
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.markdown import render_page
from ecqg.report.picture import draw_accuracy
from ecqg.report.results import read_intervals, read_results


def run(params: Params) -> None:
    """Write metrics/report.md and plots/accuracy.png."""
    results = read_results()
    rows = read_intervals(results.test_sets)
    confidence = params.evaluation.confidence
    draw_accuracy(paths.ACCURACY_PICTURE, rows, results.test_sets, confidence)
    write_text(paths.REPORT, render_page(results, params.seed))
