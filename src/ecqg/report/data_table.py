"""Sizes of the test sets and of the collections that they are asked of (AugDPR tab. 2)."""

from __future__ import annotations

from ecqg.report import published
from ecqg.report.layout import Row, Table
from ecqg.report.results import Results, subset_of


def sizes_table(results: Results) -> Table:
    """Questions of each test set and subset, beside those of its published counterpart."""
    rows, left = [], dict(published.QUESTIONS)
    for test_set in results.test_sets:
        subset = subset_of(test_set)
        theirs = left.pop(published.counterpart(test_set) or "", None)
        name = f"  {subset[1]}" if subset else test_set
        rows.append(Row([name, f"{results.questions[test_set]:,}", _count(theirs)]))
    rows += [Row([f"published: {name}", "", _count(count)], True) for name, count in left.items()]
    notes = [
        f"Published collections: {published.PASSAGES}. Ours: `metrics/corpus.json`, and the table "
        "of vocabularies"
    ]
    return Table("Questions of the test sets", ["test set", "questions", "published"], rows, notes)


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
