"""AugDPR by the number of passages with synthetic questions, over runs (AugDPR tab. 7)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.report import markdown, published
from ecqg.report.formats import Row, Table, difference, percents, tops
from ecqg.report.numbers import nested
from ecqg.report.revisions import commit_of, fetch, params_at
from ecqg.tables import Types, number, read_frame

if TYPE_CHECKING:
    from pandas import DataFrame

AUG = "aug"


def summarise_amounts(revisions: Sequence[str], test_set: str | None = None) -> str:
    """Markdown: a row for plain DPR, one for each revision or experiment, and the published ones.

    `test_set` defaults to the first one of params.yaml. Raises InputError where a revision has no
    results or no AugDPR, or one trained with another number of updates than the first's by more
    than 5 percent.
    """
    theirs = published.papers()["synthetic"]
    ks = theirs["ks"]
    rows: list[Row] = []
    updates: list[float] = []
    for name in revisions:
        commit = commit_of(name)
        params = params_at(commit)
        if AUG not in params.pretrained:
            raise InputError(f"{name} pre-trains no {AUG}", remedy="name a run that does")
        aug = params.pretrained[AUG]
        passages = sum(params.question_sets[of].passages for of in aug.questions)
        training = replace(params.pretrain, **aug.training)
        updates.append(passages * training.epochs / training.batch_size)
        if abs(updates[-1] / updates[0] - 1) > 0.05:
            raise InputError(
                f"{name} has about {updates[-1]:.0f} updates of pre-training, {revisions[0]} has "
                f"{updates[0]:.0f}",
                remedy="compare runs in which passages times epochs is the same",
            )
        test_set = test_set or next(iter(params.collections[paths.MAIN].test_sets))
        types: Types = {"k": int, "accuracy": number}
        found = _rows(commit, paths.ACCURACY, headers.ACCURACY, types, test_set)
        accuracy = nested(found, "system", "k", "accuracy")
        if AUG not in accuracy or (not rows and "dpr" not in accuracy):
            what = f"{paths.ACCURACY} at {commit[:10]} has no {test_set}"
            raise InputError(what, remedy="name another one")
        if not rows:
            rows.append(Row(["none (DPR)", "", percents(map(accuracy["dpr"].get, ks)), ""]))
        types = dict.fromkeys(("difference", "low", "high", "p"), number)
        found = _rows(commit, paths.COMPARISONS, headers.COMPARISONS, types, test_set)
        # AugDPR less DPR, paired by question.
        found = found[(found.a == AUG) & (found.b == "dpr")]
        tests: dict[str, Any] = {row["measure"]: row for row in found.to_dict("records")}
        less = (difference(tests[f"top{k}"]).strip() for k in ks if f"top{k}" in tests)
        cells = [f"{passages:,}", str(training.epochs), percents(map(accuracy[AUG].get, ks))]
        rows.append(Row([*cells, " / ".join(less)]))
    for amount, figures in theirs["values"].items():
        rows.append(Row([f"published: {amount}", "", percents(figures), ""], True))
    header = ["passages with synthetic questions", "epochs", tops(ks)]
    return markdown.fill(
        __file__,
        amounts=Table([*header, "less DPR, at the same k"], rows),
        updates=round(updates[0]),
        test_set=test_set,
        source=theirs["source"],
    )


def _rows(
    commit: str, table: Path, header: Sequence[str], types: Types, test_set: str
) -> DataFrame:
    """Rows of a commit's table on a whole test set of the main collection."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / table.name
        fetch(commit, table, copy)
        rows = read_frame(copy, header, types)
    there = (rows[["collection", "test_set", "subset"]] == [paths.MAIN, test_set, ""]).all(axis=1)
    return rows[there]
