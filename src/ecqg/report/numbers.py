"""The numbers of a run as one tidy table: a row a number, whatever was measured of what."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg import paths
from ecqg.evaluation import headers
from ecqg.tables import Types, flat_values, number, read_frame, read_values

if TYPE_CHECKING:
    from pandas import DataFrame

# Empty, or 0 for k, where it is not of a system, a test set or a cut-off; `name` is what the test
# set is called beside those of other collections. Accuracies are in percent.
KEY = ["system", "name", "metric", "k"]
COLUMNS = [
    *("seed", "system", "collection", "test_set", "subset", "name", "metric", "k"),
    *("value", "low", "high", "questions"),
]
ACCURACY = "accuracy"  # the metric at k; metrics of rankings have their names
ATTENTION = paths.attention_means("").parent.name


def read_numbers(
    judged: Path, measured: Iterable[Path], results: Path = paths.RESULTS, seed: int = 0
) -> DataFrame:
    """What is in `judged`, a copy of paths.JUDGED, and in the files `measured` below `results`.

    Of the latter, attention has its system and measure; all else is a metric without a system,
    named by file and keys. Raises InputError as the readers of tables do.
    """
    import pandas as pd

    figures: Types = {"k": int, "questions": int, "accuracy": float, "low": float, "high": float}
    accuracy = read_frame(judged / paths.ACCURACY.name, headers.ACCURACY, figures)
    accuracy = accuracy.rename(columns={"accuracy": "value"}).assign(metric=ACCURACY)
    figures = {"questions": number, "value": float}
    ranking = read_frame(judged / paths.RANKING.name, headers.RANKING, figures)
    ranking = ranking.rename(columns={"measure": "metric"})
    rows = []
    for file in measured:
        where = file.relative_to(results)
        for name, value in flat_values(read_values(file)):
            if isinstance(value, int | float) and not isinstance(value, bool):
                metric = f"{where.as_posix()} {name.replace('/', '.')}"
                key = (file.stem, name) if where.parent.name == ATTENTION else ("", metric)
                rows.append((*key, float(value)))
    values = pd.DataFrame(rows, columns=["system", "metric", "value"])
    numbers = pd.concat([accuracy, ranking, values], ignore_index=True)
    numbers = numbers.reindex(columns=COLUMNS).assign(seed=seed)
    texts = ["system", "collection", "test_set", "subset", "metric"]
    numbers[texts] = numbers[texts].fillna("")
    numbers["k"] = numbers["k"].fillna(0).astype(int)
    sets = numbers[["test_set", "subset"]].itertuples(index=False)
    return numbers.assign(name=[called(*of) for of in sets])


def called(test_set: str, subset: str) -> str:
    """The name of a test set, or of a subset of it.

    >>> called("nq", ""), called("nq", "no_answer_overlap")
    ('nq', 'nq_no_answer_overlap')
    """
    return f"{test_set}_{subset}" if subset else test_set


def nested(rows: DataFrame, *columns: str) -> dict[str, Any]:
    """The last of the columns by the first, the second ...: {"dpr": {"nq_like": {1: 43.5}}}.

    Of rows that are alike the last one counts.
    """
    found: dict[str, Any] = {}
    for *keys, last, value in rows[[*columns]].itertuples(index=False):
        inner = found
        for key in keys:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return found
