"""Trends over a sweep's points, against planes that are known and SciPy's own regression."""

from __future__ import annotations

from itertools import product
from math import log2
from typing import Any

import numpy as np
import pytest
from pandas import DataFrame
from scipy.stats import linregress, ttest_1samp

from ecqg.report.numbers import ACCURACY, KEY
from ecqg.report.sweeps import DIFFERENCE, differences_table
from ecqg.report.trends import TREND, trends

SYSTEMS = ["dpr", "mixed"]
TAIL = [("tail", 1)]


def numbers(
    axes: list[str], gaps: dict[tuple[tuple[Any, ...], int], float], dpr: float = 40.0
) -> DataFrame:
    """DPR's accuracy on `tail`, and Mixed-DPR's, by point and seed."""
    rows = [
        [*point, seed, system, "tail", ACCURACY, 1, value]
        for (point, seed), gap in gaps.items()
        for system, value in (("dpr", dpr + seed), ("mixed", dpr + seed + gap))
    ]
    return DataFrame(rows, columns=[*axes, "seed", *KEY, "value"])


def test_a_plane_is_found_again_whatever_the_steps_of_its_axes() -> None:
    axes, slopes = ["gold", "synthetic"], {1: (-0.5, 1.0), 2: (-0.7, 1.2), 3: (-0.3, 1.1)}
    points = [*product([1000, 2000, 20000], [500, 4000, 5000])]
    gaps = {
        ((a, b), seed): 3.0 + of_a * log2(a / 1000) + of_b * log2(b / 500)
        for a, b in points
        for seed, (of_a, of_b) in slopes.items()
    }
    found = trends(numbers(axes, gaps), axes, SYSTEMS, TAIL).set_index(TREND)
    assert [*found.index] == ["mean", "per doubling of gold", "per doubling of synthetic"]
    assert {*found["pair"]} == {"Mixed-DPR less DPR"}
    whole = [np.mean([gaps[point, seed] for point in points]) for seed in slopes]
    by_seed = [whole, [a for a, _ in slopes.values()], [b for _, b in slopes.values()]]
    for (_, row), expected in zip(found.iterrows(), by_seed, strict=True):
        p = ttest_1samp(expected, 0).pvalue
        assert [*row[DIFFERENCE]] == pytest.approx([np.mean(expected), np.std(expected, ddof=1), p])


def test_a_line_through_what_no_line_fits_is_that_of_least_squares() -> None:
    values = {1: [2.0, 1.0, 4.0, 3.5], 2: [1.0, 5.0, 2.0, 2.5]}
    at = [1, 2, 4, 32]
    gaps = {((x,), s): y for s, ys in values.items() for x, y in zip(at, ys, strict=True)}
    # A seed that lacks a point is left out.
    gaps |= {((x,), 3): 100.0 for x in at[1:]}
    found = trends(numbers(["n"], gaps), ["n"], SYSTEMS, TAIL).set_index(TREND)
    slopes = [linregress(np.log2(at), ys).slope for ys in values.values()]
    assert found.loc["per doubling of n", "difference"] == pytest.approx(np.mean(slopes))
    assert found.loc["mean", "difference"] == pytest.approx(np.mean([*values.values()]))


def test_the_table_has_a_row_for_each_pair_and_trend() -> None:
    gaps = {((x,), s): 1.0 + log2(x) for x in (1, 2, 4) for s in (1, 2)}
    found = trends(numbers(["n"], gaps), ["n"], SYSTEMS, TAIL)
    table = differences_table(found, [TREND], "Differences over all points")
    assert table.header == ["systems", "over all points", "tail top-1"]
    assert [row.cells for row in table.rows] == [
        ["Mixed-DPR less DPR", "mean", "+2.0 ± 0.0*"],
        ["Mixed-DPR less DPR", "per doubling of n", "+1.0 ± 0.0*"],
    ]


@pytest.mark.parametrize(
    "values", [(0.3, 0.5, 0.9), (1, 2), (0, 1, 2), ("a", "b", "c"), (True, 2, 3)]
)
def test_what_is_not_counted_has_no_doublings(values: tuple[Any, ...]) -> None:
    gaps = {((x,), s): 1.0 for x in values for s in (1, 2)}
    assert trends(numbers(["n"], gaps), ["n"], SYSTEMS, TAIL).empty


def test_without_a_seed_that_has_every_point_there_is_no_trend() -> None:
    gaps = {((x,), x): 1.0 for x in (1, 2, 4)}
    assert trends(numbers(["n"], gaps), ["n"], SYSTEMS, TAIL).empty
    assert trends(numbers([], {((), 1): 1.0}), [], SYSTEMS, TAIL).empty
