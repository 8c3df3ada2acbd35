"""What a sweep says as a whole: how differences between systems change with what is varied."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg.report.names import shown
from ecqg.report.sweeps import DIFFERENCE, Measure, Values, by_seed, difference, is_whole, keys

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

TREND = "over all points"


def trends(
    numbers: DataFrame, axes: Sequence[str], systems: Sequence[str], measures: Sequence[Measure]
) -> DataFrame:
    """Of each two systems the mean difference over all points, and its change per doubling.

    A point has few seeds; what all points show together is seen by fewer. To each seed's
    differences a plane is fitted by least squares, linear in the logarithm of each axis of three or
    more counts; its height at the points' centre and its slopes are compared over seeds. Seeds that
    lack a point are left out. `numbers` is what `read_points` returns. Columns: TREND, measure and
    k, pair, and DIFFERENCE, in points or nats; no row where no axis is of counts, or where no seed
    has all points.
    """
    import pandas as pd

    values = by_seed(numbers, axes)
    counted = [i for i in range(len(axes)) if _counts({point[i] for point in values})]
    names = ["mean", *(f"per doubling of {axes[i]}" for i in counted)]
    rows = []
    for other, system in combinations(systems, 2) if counted else ():
        for measure, k, key in keys(measures):
            found = [
                [of.get((name, *key), {}) for name in (system, other)] for of in values.values()
            ]
            whole = sorted(set.intersection(*(a.keys() & b.keys() for a, b in found)))
            if not whole:
                continue
            gaps = [[a[seed] - b[seed] for seed in whole] for a, b in found]
            fitted = np.linalg.lstsq(_design([*values], counted), np.array(gaps), rcond=None)[0]
            for name, of_seeds in zip(names, fitted, strict=True):
                one = difference(dict(zip(whole, of_seeds, strict=True)), dict.fromkeys(whole, 0.0))
                rows.append([name, measure, k, f"{shown(system)} less {shown(other)}", *one])
    return pd.DataFrame(rows, columns=[TREND, "measure", "k", "pair", *DIFFERENCE])


def _counts(values: Collection[Any]) -> bool:
    """Whether an axis has at least three values, all positive whole numbers."""
    return len(values) >= 3 and all(is_whole(value) and value > 0 for value in values)


def _design(points: Sequence[Values], counted: Sequence[int]) -> NDArray[np.float64]:
    """Ones, and the doublings of each axis from its mean: a row for each point."""
    doublings = np.log2([[point[i] for i in counted] for point in points])
    return np.column_stack([np.ones(len(points)), doublings - doublings.mean(axis=0)])
