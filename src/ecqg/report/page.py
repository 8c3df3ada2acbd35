"""results/report.md: the essence of a run, for a pull request; html_page has all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ecqg import numerics, paths
from ecqg.report import layout, markdown, premises, summary
from ecqg.report.formats import Table
from ecqg.report.results import Results, subset_of

ROWS = 22  # of a table: the page has at most 150 lines


def render_page(results: Results, seed: int, stale: Sequence[str] = ()) -> str:
    """The whole page; `stale` are lines on what does not match params.yaml (ecqg.report.stale)."""
    whole = [name for name in results.test_sets if not subset_of(name)]
    return markdown.fill(
        __file__,
        results=replace(results, test_sets=whole),
        seed=seed,
        stale=stale,
        numerics=numerics.mode(),
        question=summary.QUESTION,
        verdict=summary.verdict(results),
        short=_short,
        layout=layout,
        premises=premises.premise_table(),
        paths=paths,
    )


def _short(table: Table) -> Table:
    """At most ROWS rows, and a note on those that are left out."""
    if (left := len(table.rows) - ROWS) <= 0:
        return table
    notes = [f"{left} more rows: {paths.REPORT_HTML}", *table.notes]
    return replace(table, rows=table.rows[:ROWS], notes=notes)
