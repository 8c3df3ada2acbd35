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
    results = read_results(params.corpus.test_sets, params.zero_shot)
    rows = read_intervals(params.zero_shot)
    confidence = params.evaluation.confidence
    draw_accuracy(paths.ACCURACY_PICTURE, rows, results.test_sets, confidence)
    page = render_page(results, params.profile, params.seed, params.evaluation.ks)
    write_text(paths.REPORT, page)
