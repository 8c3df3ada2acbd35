"""A sweep's runs as a tidy table and as Markdown: metrics against what was varied."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from math import isnan, nan
from numbers import Integral
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
DIFFERENCE = ["difference", "difference_deviation", "p"]
IN_POINTS = f"In points, seed by seed; {STARS}"
STATISTICS = ["mean", "deviation", "seeds", *DIFFERENCE]


def axis_label(value: Any) -> str:
    """A value of an axis, as people read it: 20,000; 2 beside 0.5, though pandas makes it 2.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:,}" if is_whole(value) else str(value)


def is_whole(value: Any) -> bool:
    """Whether a value is an integer, numpy's among them, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


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

    Columns: `axes`, measure and k, system and STATISTICS: the difference is to the same system at
    the `reference`, seed by seed, with its spread and the p-value of the paired t-test; NaN for
    what has none, and spreads for a single seed. Raises InputError where no run has a system.
    """
    import pandas as pd

    values = by_seed(numbers, axes)
    rows: list[list[Any]] = []
    for point, of_point in values.items():
        base = values.get(reference, {}) if reference != point else {}
        for measure, k, key in keys(measures):
            for system in systems:
                if of_seeds := of_point.get((system, *key)):
                    gap = difference(of_seeds, base.get((system, *key), {}))
                    rows.append([*point, measure, k, system, *_spread(of_seeds), *gap])
    if not rows:
        known = ", ".join(sorted({*numbers.system} - {""}))
        raise InputError(f"no run has {', '.join(systems)}", remedy=f"they have {known}")
    return pd.DataFrame(rows, columns=[*axes, "measure", "k", "system", *STATISTICS])


def compare_systems(
    numbers: DataFrame, axes: Sequence[str], systems: Sequence[str], measures: Sequence[Measure]
) -> DataFrame:
    """Differences between systems, seed by seed; a row for each pair, point and measure.

    Of two `systems` the earlier one is subtracted. Columns: `axes`, measure and k, pair, as people
    read it, and DIFFERENCE.
    """
    import pandas as pd

    values = by_seed(numbers, axes)
    rows = [
        [*point, measure, k, f"{shown(system)} less {shown(other)}", *gap]
        for other, system in combinations(systems, 2)
        for point, of_point in values.items()
        for measure, k, key in keys(measures)
        for of, base in [[of_point.get((name, *key), {}) for name in (system, other)]]
        if not isnan((gap := difference(of, base))[0])
    ]
    return pd.DataFrame(rows, columns=[*axes, "measure", "k", "pair", *DIFFERENCE])


def by_seed(
    numbers: DataFrame, axes: Sequence[str]
) -> dict[Values, dict[tuple[Any, ...], dict[int, float]]]:
    """Of each point the values by system and what `keys` returns, then by seed."""
    found = numbers.sort_values("seed", kind="stable")
    points = found.groupby([*axes], sort=False, dropna=False) if axes else [((), found)]
    values: dict[Values, dict[tuple[Any, ...], dict[int, float]]] = {}
    for point, here in points:
        of_point = values.setdefault(tuple(point), {})
        for *key, seed, value in here[[*KEY, "seed", "value"]].itertuples(index=False):
            of_point.setdefault(tuple(key), {})[seed] = value
    return values


def keys(measures: Sequence[Measure]) -> list[tuple[str, int, tuple[Any, ...]]]:
    """Each measure and k with what KEY has beside the system."""
    return [(name, k, (name, ACCURACY, k) if k else ("", name, 0)) for name, k in measures]


def _spread(values: Mapping[int, float]) -> list[float]:
    of_all = [*values.values()]
    deviation = float(np.std(of_all, ddof=1)) if len(of_all) > 1 else nan
    return [float(np.mean(of_all)), deviation, len(of_all)]


def difference(values: Mapping[int, float], base: Mapping[int, float]) -> list[float]:
    """DIFFERENCE of the values of seeds that both have; NaN where there is none."""
    shared = [seed for seed in values if seed in base]
    if not shared:
        return [nan, nan, nan]
    with warnings.catch_warnings():
        # SciPy's, where all differences are the same but for rounding.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = compare_seeds([values[s] for s in shared], [base[s] for s in shared])
    return [found.mean, found.deviation, found.t_p]


def sweep_tables(
    summary: DataFrame, pairs: DataFrame, axes: Sequence[str], caption: str, reference: Values = ()
) -> list[Table]:
    """What `summarise` and `compare_systems` return, as text: a column for each test set.

    The first has values, of the `reference` alone where there is one, the second then the
    differences to it: a system that its settings do not reach, whose differences are all 0, has no
    row there. The last has the differences between systems, if there is more than one.
    """
    ks, measured = _measured(summary)
    values, differences = [], []
    for (*point, system), rows in summary.groupby([*axes, "system"], sort=False):
        first = [*map(axis_label, point), shown(str(system))]
        if not reference or tuple(point) == reference:
            values.append(Row([*first, *_cells(rows, ks, _values)]))
        if rows["difference"].fillna(0).any():
            differences.append(Row([*first, *_cells(rows, ks, _differences)]))
    least, most = summary["seeds"].min(), summary["seeds"].max()
    seeds = str(least) if least == most else f"{least} to {most}"
    note = f"Mean ± standard deviation over seeds: {seeds}. Accuracy in percent, entropy in nats"
    tables = [Table([*axes, "system", *measured], values, caption, [note])]
    if reference:
        notes = [IN_POINTS, "A system without a row is the same as there"]
        header = [*axes, "system", *measured]
        tables.append(Table(header, differences, f"Less {reference[0]}", notes))
    if not pairs.empty:
        tables.append(differences_table(pairs, axes, "Differences between systems"))
    return tables


def differences_table(pairs: DataFrame, axes: Sequence[str], caption: str) -> Table:
    """What `compare_systems` returns, as text: a row for each pair and point."""
    ks, measured = _measured(pairs)
    rows = [
        Row([*map(axis_label, (pair, *point)), *_cells(of, ks, _differences)])
        for (pair, *point), of in pairs.groupby(["pair", *axes], sort=False)
    ]
    return Table(["systems", *axes, *measured], rows, caption, [IN_POINTS])


def _measured(rows: DataFrame) -> tuple[dict[str, list[int]], list[str]]:
    """The ks of each measure, and what a column of it is called."""
    ks = {str(of): [*dict.fromkeys(own["k"])] for of, own in rows.groupby("measure", sort=False)}
    return ks, [f"{of} {tops(own)}" if any(own) else of for of, own in ks.items()]


def _cells(
    rows: DataFrame, measures: Iterable[str], texts: Callable[[DataFrame], list[str]]
) -> list[str]:
    return [" / ".join(texts(rows[rows["measure"] == measure])) for measure in measures]


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
    rows = []
    for point in trees:
        found = [_premise(values[key].get(point, []), key[2]) for key in columns]
        rows.append(Row([*map(axis_label, point), *found]))
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
