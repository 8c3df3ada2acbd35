"""AugDPR by the number of passages with synthetic questions, over runs (AugDPR tab. 7)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.report import markdown, published
from ecqg.report.formats import Row, Table, difference, percents, tops
from ecqg.report.revisions import commit_of, fetch, params_at
from ecqg.tables import read_table

AUG = "aug"


def summarise_amounts(revisions: Sequence[str], test_set: str | None = None) -> str:
    """Markdown: a row for plain DPR, one for each revision or experiment, and the published ones.

    `test_set` defaults to the first one of params.yaml. Raises InputError where a revision has no
    results or no AugDPR, or one trained with another number of updates than the first's by more
    than 5 percent.
    """
    theirs = published.papers()["synthetic"]
    rows: list[Row] = []
    updates: list[float] = []
    for name in revisions:
        commit = commit_of(name)
        params = params_at(commit)
        if AUG not in params.pretrained:
            raise InputError(f"{name} pre-trains no {AUG}", remedy="name a run that does")
        aug = params.pretrained[AUG]
        passages = sum(params.question_sets[asked].passages for asked in aug.questions)
        training = replace(params.pretrain, **aug.training)
        updates.append(passages * training.epochs / training.batch_size)
        if abs(updates[-1] / updates[0] - 1) > 0.05:
            raise InputError(
                f"{name} has about {updates[-1]:.0f} updates of pre-training, {revisions[0]} has "
                f"{updates[0]:.0f}",
                remedy="compare runs in which passages times epochs is the same",
            )
        test_set = test_set or next(iter(params.collections[paths.MAIN].test_sets))
        if not rows:
            rows.append(Row(["none (DPR)", "", _accuracies(commit, "dpr", test_set), ""]))
        found = _accuracies(commit, AUG, test_set), _tests(commit, test_set)
        rows.append(Row([f"{passages:,}", str(training.epochs), *found]))
    for amount, figures in theirs["values"].items():
        rows.append(Row([f"published: {amount}", "", percents(figures), ""], True))
    header = ["passages with synthetic questions", "epochs", tops(theirs["ks"])]
    return markdown.fill(
        __file__,
        amounts=Table([*header, "less DPR, at the same k"], rows),
        updates=round(updates[0]),
        test_set=test_set,
        source=theirs["source"],
    )


def _accuracies(commit: str, system: str, test_set: str) -> str:
    """Of a test set of the main collection, at each k."""
    found = {
        int(row["k"]): float(row["accuracy"])
        for row in _rows(commit, paths.ACCURACY, headers.ACCURACY, test_set)
        if row["system"] == system
    }
    if not found:
        what = f"{paths.ACCURACY} at {commit[:10]} has no {test_set}"
        raise InputError(what, remedy="name another one")
    return percents(map(found.get, published.papers()["synthetic"]["ks"]))


def _tests(commit: str, test_set: str) -> str:
    """AugDPR less DPR, paired by question, at each k."""
    found = {
        row["measure"]: {key: float(row[key]) for key in ("difference", "low", "high", "p")}
        for row in _rows(commit, paths.COMPARISONS, headers.COMPARISONS, test_set)
        if (row["a"], row["b"]) == (AUG, "dpr")
    }
    of_ks = (found.get(f"top{k}") for k in published.papers()["synthetic"]["ks"])
    return " / ".join(difference(of).strip() for of in of_ks if of)


def _rows(commit: str, table: Path, header: Sequence[str], test_set: str) -> list[dict[str, str]]:
    """Rows of a commit's table on a whole test set of the main collection."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / table.name
        fetch(commit, table, copy)
        where = (paths.MAIN, test_set, "")
        keys = ("collection", "test_set", "subset")
        return [r for r in read_table(copy, header) if tuple(r[key] for key in keys) == where]
