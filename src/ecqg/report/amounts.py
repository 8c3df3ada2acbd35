"""AugDPR by the number of passages with synthetic questions, over runs (AugDPR tab. 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.report import published
from ecqg.report.layout import Row, Table, difference, percents
from ecqg.report.markdown import render
from ecqg.report.revisions import commit_of, file_at, parameter_at


def summarise_amounts(revisions: Sequence[str], test_set: str | None = None) -> str:
    """Markdown: a row for plain DPR, one for each revision or experiment, and the published ones.

    `test_set` defaults to the first one of params.yaml. Raises InputError where a revision has no
    results, or was trained with another number of updates than the first by more than 5 percent.
    """
    ks = published.SYNTHETIC_KS
    rows: list[Row] = []
    updates: list[float] = []
    for name in revisions:
        commit = commit_of(name)
        passages, epochs, batch = (
            parameter_at(commit, f"aug.{key}")
            for key in ("passages", "pretrain.epochs", "pretrain.batch_size")
        )
        updates.append(passages * epochs / batch)
        if abs(updates[-1] / updates[0] - 1) > 0.05:
            raise InputError(
                f"{name} has about {updates[-1]:.0f} updates of pre-training, {revisions[0]} has "
                f"{updates[0]:.0f}",
                remedy="compare runs in which aug.passages times epochs is the same",
            )
        test_set = test_set or next(iter(parameter_at(commit, "corpus.test_sets")))
        if not rows:
            rows.append(_row("none (DPR)", "", _metrics(commit, "dpr", test_set)))
        found = _metrics(commit, "aug", test_set)
        rows.append(_row(f"{passages:,}", str(epochs), found, _tests(commit, test_set)))
    for amount, figures in published.BY_SYNTHETIC_PASSAGES.items():
        rows.append(Row([f"published: {amount}", "", percents(figures), ""], True))
    what = " / ".join(f"top-{k}" for k in ks)
    notes = [
        f"About {updates[0]:.0f} updates of pre-training each; ours on {test_set}, one seed; "
        f"published on NQ dev: {published.SYNTHETIC_SOURCE}. Differences in points, with the "
        "bootstrap interval; starred: p < 0.05 by the exact McNemar test"
    ]
    header = ["passages with synthetic questions", "epochs", what, "less DPR, at the same k"]
    return render(Table("AugDPR by synthetic data (%)", header, rows, notes))


def _row(amount: str, epochs: str, found: dict[str, float], less: str = "") -> Row:
    values = percents([found.get(f"top{k}") for k in published.SYNTHETIC_KS])
    return Row([amount, epochs, values, less])


def _tests(commit: str, test_set: str) -> str:
    """AugDPR less DPR, paired by question, at each k."""
    pair = json.loads(file_at(commit, paths.COMPARISON)).get("aug_vs_dpr", {}).get(test_set, {})
    found = (pair.get(f"top{k}") for k in published.SYNTHETIC_KS)
    return " / ".join(difference(of).strip() for of in found if of)


def _metrics(commit: str, system: str, test_set: str) -> dict[str, float]:
    file = paths.retrieval_metrics()
    tree: dict[str, Any] = json.loads(file_at(commit, file))
    if test_set not in tree[system]:
        raise InputError(f"{file} at {commit[:10]} has no {test_set}", remedy="name another one")
    found: dict[str, float] = tree[system][test_set]
    return found
