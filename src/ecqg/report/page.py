"""results/report.md: the page that a pull request shows."""

from __future__ import annotations

from collections.abc import Sequence

from ecqg import numerics, paths
from ecqg.report import analyses, formats, layout, markdown, measured, premises, published
from ecqg.report.names import shown
from ecqg.report.results import Results


def render_page(results: Results, seed: int, passages: int, stale: Sequence[str] = ()) -> str:
    """The whole page.

    `passages` is how many AugDPR's synthetic questions were sampled from; `stale` are lines on what
    does not match params.yaml (ecqg.report.stale).
    """
    study = results.study
    groups = [ks for ks in published.all_ks() if {*study.ks}.issuperset(ks)]
    if left := sorted({*study.ks}.difference(*groups)):
        groups.append(tuple(left))
    return markdown.fill(
        __file__,
        results=results,
        study=study,
        groups=groups,
        seed=seed,
        passages=passages,
        stale=stale,
        numerics=numerics.mode(),
        papers=published.papers(),
        shown=shown,
        published=published,
        measured=measured,
        layout=layout,
        premises=premises,
        formats=formats,
        analyses=analyses,
        paths=paths,
    )
