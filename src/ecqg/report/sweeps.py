"""A sweep's runs as a tidy table and as Markdown: metrics against what was varied."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import chain
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds
from ecqg.report.formats import STARS, Row, Table, over_seeds, spread, tops
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY, KEY
from ecqg.report.premises import read_premises
from ecqg.report.seed_trees import read_tidy

if TYPE_CHECKING:
    from pandas import DataFrame

Values = tuple[Any, ...]  # one of each axis
Measure = tuple[str, int]  # a test set and k, or ENTROPY and 0
ENTROPY = "entropy"
STATISTICS = ["mean", "deviation", "seeds", "difference", "difference_deviation", "p"]


def read_points(trees: Mapping[Values, Mapping[int, Path]], axes: Sequence[str]) -> DataFrame:
    """All numbers of all runs: a column for each axis, then those of ecqg.report.numbers.

    `trees` has the results of each run (`ecqg.report.revisions.extract_results`), by the values of
    the axes and by seed. Raises InputError where there is none.
    """
    import pandas as pd

    if not trees:
        raise InputError("no run is finished", remedy="'ecqg sweep run' runs them")
    found = []
    for values, of_seeds in trees.items():
        tidy = read_tidy(of_seeds)
        for place, (axis, value) in enumerate(zip(axes, values, strict=True)):
            tidy.insert(place, axis, value)
        found.append(tidy)
    return pd.concat(found, ignore_index=True)


def summarise(
    numbers: DataFrame,
    axes: Sequence[str],
    systems: Sequence[str],
    measures: Sequence[Measure],
    reference: Values = (),
) -> DataFrame:
    """Mean and spread over seeds; a row for each point, measure and system.

    Columns: `axes`, measure and k, system and STATISTICS: the difference is to the first of
    `systems`, or, where there is a `reference`, to the same system at that point, seed by seed,
    with its spread and the p-value of the paired t-test; NaN for what has none, and spreads for a
    single seed. Raises InputError where no run has it.
    """
    import pandas as pd

    found = numbers.sort_values("seed", kind="stable")
    points = found.groupby([*axes], sort=False, dropna=False) if axes else [((), found)]
    values: dict[Values, dict[Any, dict[int, float]]] = {}
    for point, here in points:
        of_point = values.setdefault(tuple(point), {})
        for *key, seed, value in here[[*KEY, "seed", "value"]].itertuples(index=False):
            of_point.setdefault(tuple(key), {})[seed] = value
    rows: list[list[Any]] = []
    for point, of_point in values.items():
        for measure, k in measures:
            of = (measure, ACCURACY, k) if k else ("", measure, 0)
            for system in systems:
                if by_seed := of_point.get((system, *of)):
                    other = (point, systems[0]) if not reference else (reference, system)
                    base = values.get(other[0], {}).get((other[1], *of), {})
                    same = other == (point, system)
                    statistics = _statistics(by_seed, {} if same else base)
                    rows.append([*point, measure, k, system, *statistics])
    if not rows:
        known = ", ".join(sorted({*numbers.system} - {""}))
        raise InputError(f"no run has {', '.join(systems)}", remedy=f"they have {known}")
    return pd.DataFrame(rows, columns=[*axes, "measure", "k", "system", *STATISTICS])


def _statistics(values: Mapping[int, float], base: Mapping[int, float]) -> list[float]:
    of_all = [*values.values()]
    own = [float(np.mean(of_all)), float(np.std(of_all, ddof=1)) if len(of_all) > 1 else nan]
    shared = [seed for seed in values if seed in base]
    if not shared:
        return [*own, len(of_all), nan, nan, nan]
    with warnings.catch_warnings():
        # SciPy's, where all differences are the same but for rounding.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = compare_seeds([values[s] for s in shared], [base[s] for s in shared])
    return [*own, len(of_all), found.mean, found.deviation, found.t_p]


def sweep_tables(
    summary: DataFrame, axes: Sequence[str], caption: str, reference: Values = ()
) -> list[Table]:
    """The summary as text: a row for each point and system, a column for each test set.

    The first has values, of the `reference` alone where there is one; the other differences, to the
    first system or to the reference. A system that the reference's settings do not reach, whose
    differences are all 0, has no row there.
    """
    ks = {
        str(of): [*dict.fromkeys(rows["k"])] for of, rows in summary.groupby("measure", sort=False)
    }
    header = [*axes, "system"]
    header += [f"{of} {tops(own)}" if any(own) else of for of, own in ks.items()]
    values, differences = [], []
    for (*point, system), rows in summary.groupby([*axes, "system"], sort=False):
        first = [*map(str, point), shown(str(system))]
        of = [rows[rows["measure"] == measure] for measure in ks]
        if not reference or tuple(point) == reference:
            cells = [" / ".join(_values(one)) for one in of]
            values.append(Row([*first, *cells]))
        if rows["difference"].fillna(0).any():
            cells = [" / ".join(_differences(one)) for one in of]
            differences.append(Row([*first, *cells]))
    least, most = summary["seeds"].min(), summary["seeds"].max()
    seeds = str(least) if least == most else f"{least} to {most}"
    note = f"Mean ± standard deviation over seeds: {seeds}. Accuracy in percent, entropy in nats"
    to = reference[0] if reference else shown(summary["system"].iloc[0])
    notes = [f"In points, seed by seed; {STARS}"]
    if reference:
        notes.append("A system without a row is the same as there")
    return [
        Table(header, values, caption, [note]),
        Table(header, differences, f"Less {to}", notes),
    ]


def premises_by_point(
    trees: Mapping[Values, Mapping[int, Path]], axes: Sequence[str], names: Sequence[str]
) -> Table:
    """Premises of those names: a row for each point, a column for each thing they are measured of.

    Means and spreads over seeds, of `trees` as read_points has them. Raises InputError where no
    run has a premise of such a name.
    """
    values: dict[tuple[str, str, str], dict[Values, list[float]]] = {}
    known: set[str] = set()
    for point, of_seeds in trees.items():
        for tree in of_seeds.values():
            for row in chain.from_iterable(read_premises(tree / paths.PREMISES)):
                known.add(row["premise"])
                key = (row["premise"], row["about"], row["unit"])
                values.setdefault(key, {}).setdefault(point, []).append(row["here"])
    if unknown := [name for name in names if name not in known]:
        remedy = f"they have {', '.join(sorted(known)) or 'none'}"
        raise InputError(f"no run has a premise {unknown[0]!r}", remedy=remedy)
    columns = [key for name in names for key in values if key[0] == name]
    rows = [
        Row([*map(str, point), *(_premise(values[key].get(point, []), key[2]) for key in columns)])
        for point in trees
    ]
    return Table([*axes, *(_title(*key) for key in columns)], rows, "Premises")


def _title(name: str, about: str, unit: str) -> str:
    """Such as 'synthetic to gold: UnCon-DPR (: 1)'."""
    return (f"{name}: {shown(about)}" if about else name) + (f" ({unit})" if unit else "")


def _premise(values: Sequence[float], unit: str) -> str:
    if not values:
        return ""
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else nan
    return spread(float(np.mean(values)), deviation, 1 if unit in ("%", "points") else 2)


def _values(rows: DataFrame) -> list[str]:
    columns = rows[["mean", "deviation", "k"]].itertuples(index=False)
    return [spread(mean, deviation, 1 if k else 3) for mean, deviation, k in columns]


def _differences(rows: DataFrame) -> list[str]:
    columns = rows[["difference", "difference_deviation", "k", "p"]].itertuples(index=False)
    return [
        over_seeds(mean, deviation, p, 1 if k else 3)
        for mean, deviation, k, p in columns
        if not isnan(mean)
    ]
