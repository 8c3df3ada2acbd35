"""results/report.md: the page that a pull request shows."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ecqg import numerics, paths
from ecqg.report import layout, markdown, published
from ecqg.report.analyses import render_analyses
from ecqg.report.layout import AUGMENTED_PAIRS, OTHER_PAIRS, TRAINED_PAIRS, Row, Table
from ecqg.report.names import SYSTEMS
from ecqg.report.results import Results


def render_page(results: Results, seed: int, passages: int, stale: Sequence[str] = ()) -> str:
    """The whole page.

    `passages` is how many AugDPR's synthetic questions were sampled from; `stale` are lines on what
    does not match params.yaml (ecqg.report.stale).
    """
    study, papers = results.study, published.papers()
    groups = [ks for ks in published.all_ks() if {*study.ks}.issuperset(ks)]
    if left := sorted({*study.ks}.difference(*groups)):
        groups.append(tuple(left))
    differences = [(k, pairs) for k in (1, 5) for pairs in (TRAINED_PAIRS, OTHER_PAIRS)]
    differences += [(k, AUGMENTED_PAIRS) for k in papers["accuracy"][-1]["ks"]]
    return markdown.fill(
        __file__,
        paths=paths,
        results=results,
        stale=stale,
        seed=seed,
        numerics=numerics.mode(),
        tops=layout.tops,
        synthetic_ks=papers["synthetic"]["ks"],
        accuracies=[layout.accuracy_table(results, ks) for ks in groups],
        synthetic=_synthetic_table(results, passages),
        differences=[layout.difference_table(results, k, pairs) for k, pairs in differences],
        reranking=layout.reranking_table(results, (1, 5)),
        rankings=[layout.ranking_table(results, m) for m in layout.RANKING_MEASURES],
        attention=layout.attention_table(results),
        measures=_measures_table(results),
        attention_differences=layout.attention_difference_table(results),
        definitions=layout.definition_table(results),
        analyses=Markup(render_analyses(results)),
        context=Markup(render_published()) if study.embedded else "",
    )


def render_published() -> str:
    """The papers' numbers by themselves, for who reads the embedded study: its data are others."""
    tables = []
    for ks in published.all_ks():
        rows, source = published.accuracy(ks)
        systems = [s for s in SYSTEMS if any(s in row for row in rows.values())]
        cells = {t: [layout.percents(row.get(s, ())) for s in systems] for t, row in rows.items()}
        header = ["test set", *(SYSTEMS[s] for s in systems)]
        lines = [Row([test_set, *of_set], True) for test_set, of_set in cells.items()]
        tables.append(Table(header, lines, f"Published accuracy, {layout.tops(ks)} (%)", [source]))
    return markdown.fill(
        published.__file__,
        papers=published.papers(),
        accuracies=tables,
        systems=SYSTEMS,
        tops=layout.tops,
        percents=layout.percents,
    )


def _synthetic_table(results: Results, passages: int) -> Table:
    """Accuracy by the number of passages with synthetic questions (AugDPR tab. 7).

    A run has two points, DPR and AugDPR; `make aug-sizes` makes more.
    """
    ks = published.papers()["synthetic"]["ks"]
    found = [
        Row([name, layout.accuracies(results, system, test_set, ks)])
        for test_set in results.test_sets[:1]
        for system, name in (("dpr", "none"), ("aug", f"{passages:,}"))
    ]
    return Table(["passages", "accuracy"], [row for row in found if row.cells[1]])


def _measures_table(results: Results) -> Table:
    """Every measure of attention, one a row."""
    of_systems = results.attention.values()
    measures = dict.fromkeys(m for values in of_systems for m in values if "/" not in m)
    rows = [Row([m, *(f"{v[m]:.4g}" if m in v else "" for v in of_systems)]) for m in measures]
    return Table(["measure", *results.attention], rows)
