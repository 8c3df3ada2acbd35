"""A sweep's runs as a tidy table, as Markdown and as a picture: metrics against what was varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds
from ecqg.palette import styles
from ecqg.report.formats import Row, Table, probability, spread
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY, KEY
from ecqg.report.pictures import new_figure, plain, save
from ecqg.report.seed_trees import read_tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
    numbers: DataFrame, axes: Sequence[str], systems: Sequence[str], measures: Sequence[Measure]
) -> DataFrame:
    """Mean and spread over seeds; a row for each point, measure and system.

    Columns: `axes`, measure ("nq_like top-1"), system and STATISTICS: the difference is to the
    first of `systems`, seed by seed, with its spread and the p-value of the paired t-test; NaN for
    the first itself, and spreads for a single seed. Raises InputError where no run has it.
    """
    import pandas as pd

    found = numbers.sort_values("seed", kind="stable")
    points = found.groupby([*axes], sort=False, dropna=False) if axes else [((), found)]
    rows: list[list[Any]] = []
    for point, here in points:
        values: dict[Any, dict[int, float]] = {}
        for *key, seed, value in here[[*KEY, "seed", "value"]].itertuples(index=False):
            values.setdefault(tuple(key), {})[seed] = value
        for measure, k in measures:
            of = (measure, ACCURACY, k) if k else ("", measure, 0)
            base = values.get((systems[0], *of), {})
            called = f"{measure} top-{k}" if k else measure
            rows += [
                [*point, called, system, *_statistics(by_seed, base)]
                for system in systems
                if (by_seed := values.get((system, *of)))
            ]
    if not rows:
        known = ", ".join(sorted({*numbers.system} - {""}))
        raise InputError(f"no run has {', '.join(systems)}", remedy=f"they have {known}")
    return pd.DataFrame(rows, columns=[*axes, "measure", "system", *STATISTICS])


def _statistics(values: Mapping[int, float], base: Mapping[int, float]) -> list[float]:
    of_all = [*values.values()]
    own = [float(np.mean(of_all)), float(np.std(of_all, ddof=1)) if len(of_all) > 1 else nan]
    shared = [seed for seed in values if seed in base]
    if values == base or not shared:
        return [*own, len(of_all), nan, nan, nan]
    found = compare_seeds([values[s] for s in shared], [base[s] for s in shared])
    return [*own, len(of_all), found.mean, found.deviation, found.t_p]


def sweep_table(summary: DataFrame, axes: Sequence[str], caption: str) -> Table:
    """The summary as text: a row for each point and system, three columns for each measure."""
    measures = [*dict.fromkeys(summary["measure"])]
    rows = []
    for (*point, system), by_system in summary.groupby([*axes, "system"], sort=False):
        cells = [*map(str, point), shown(str(system))]
        found = by_system.set_index("measure").to_dict("index")
        for measure in measures:
            if measure not in found:
                cells += ["", "", ""]
                continue
            of, digits = found[measure], 3 if measure == ENTROPY else 1
            gap = spread(of["difference"], of["difference_deviation"], digits, "+")
            cells.append(spread(of["mean"], of["deviation"], digits))
            cells += ["" if isnan(of["difference"]) else gap, probability(of["p"])]
        rows.append(Row(cells))
    columns = [(measure, "less the first", "p") for measure in measures]
    header = [*axes, "system", *chain(*columns)]
    least, most = summary["seeds"].min(), summary["seeds"].max()
    seeds = str(least) if least == most else f"{least} to {most}"
    note = (
        f"Mean ± standard deviation over {seeds} seeds; differences are to "
        f"{shown(summary['system'].iloc[0])} by seed, p of the paired t-test, not corrected"
    )
    return Table(header, rows, caption, [note])


def draw_sweep(path: Path, summary: DataFrame, axes: Sequence[str]) -> None:
    """Draw a panel for each measure.

    Of one axis a line for each system, with standard deviations; of two the difference to the first
    system as a coloured grid, a row of panels for each other system; of none points.
    """
    measures = [*dict.fromkeys(summary["measure"])]
    systems = [*dict.fromkeys(summary["system"])]
    wide = len(axes) == 2
    lines = systems[1:] if wide else [""]
    figure = new_figure(3.6 * len(measures), 3.4 * max(1, len(lines)))
    panels = figure.subplots(max(1, len(lines)), len(measures), squeeze=False)
    for row, system in zip(panels, lines, strict=True):
        for panel, measure in zip(row, measures, strict=True):
            of = summary[summary["measure"] == measure]
            if wide:
                title = f"{measure}: {shown(system)} less {shown(systems[0])}"
                _draw_grid(panel, of[of["system"] == system], axes, title)
            else:
                _draw_lines(panel, of, axes, systems, measure)
    if not wide:
        legend = panels[0][0].get_legend_handles_labels()
        figure.legend(*legend, loc="outside upper center", ncols=len(systems), frameon=False)
    save(figure, path)


def _draw_lines(
    panel: Axes, rows: DataFrame, axes: Sequence[str], systems: Sequence[str], title: str
) -> None:
    of_systems = styles(systems)
    points = [*dict.fromkeys(rows[axes[0]])] if axes else [""]
    for number, system in enumerate(systems):
        of = rows[rows["system"] == system]
        shift = 0.06 * (number - (len(systems) - 1) / 2)
        places = [
            points.index(value) + shift for value in (of[axes[0]] if axes else [""] * len(of))
        ]
        colour, marker = of_systems[system]
        errors = of["deviation"].fillna(0)
        style: dict[str, Any] = {"color": colour, "capsize": 2, "linewidth": 1.2}
        panel.errorbar(places, of["mean"], errors, marker=marker, label=shown(system), **style)
    panel.set_xticks(range(len(points)), [str(point) for point in points])
    panel.set_xlabel(axes[0] if axes else "")
    plain(panel, "y", title)


def _draw_grid(panel: Axes, rows: DataFrame, axes: Sequence[str], title: str) -> None:
    down, across = axes
    of = rows.pivot(index=down, columns=across, values="difference")
    of = of.reindex(index=[*dict.fromkeys(rows[down])], columns=[*dict.fromkeys(rows[across])])
    most = float(np.nanmax(np.abs(of.to_numpy()))) or 1.0
    panel.imshow(of.to_numpy(), cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    columns, index = [*of.columns], [*of.index]
    for row in rows.to_dict("records"):
        place = columns.index(row[across]), index.index(row[down])
        text = spread(row["difference"], row["difference_deviation"], 1, "+")
        panel.text(*place, text.replace(" ", "\n", 1), ha="center", va="center", fontsize=7)
    panel.set_xticks(range(len(columns)), [str(value) for value in columns])
    panel.set_yticks(range(len(index)), [str(value) for value in index])
    panel.set_xlabel(across)
    panel.set_ylabel(down)
    panel.set_title(title, fontsize=9, loc="left")
