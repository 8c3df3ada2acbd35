"""A sweep's runs as a tidy table, as Markdown and as a picture: metrics against what was varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds
from ecqg.palette import styles
from ecqg.report.formats import STARS, Row, Table, over_seeds, spread, tops
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


def draw_sweep(path: Path, summary: DataFrame, axes: Sequence[str], reference: Values = ()) -> None:
    """Draw a panel for each measure, of accuracy at the least k.

    Of one axis a line for each system, with standard deviations, or, where there is a `reference`,
    the differences to it, a row for each point; of two axes the difference to the first system as a
    coloured grid, a row of panels for each other system; of none points.
    """
    least = summary.groupby("measure")["k"].transform("min")
    summary = summary[summary["k"] == least]
    measures = [*dict.fromkeys(summary["measure"])]
    systems = [*dict.fromkeys(summary["system"])]
    wide = len(axes) == 2
    lines = systems[1:] if wide else [""]
    points = summary[[*axes]].drop_duplicates()
    height = 1.5 + 0.4 * len(points) if reference else 3.4 * max(1, len(lines))
    figure = new_figure(3.6 * len(measures), height)
    panels = figure.subplots(
        max(1, len(lines)), len(measures), squeeze=False, sharey=bool(reference)
    )
    for row, system in zip(panels, lines, strict=True):
        for panel, measure in zip(row, measures, strict=True):
            of = summary[summary["measure"] == measure]
            k = int(of["k"].iloc[0])
            title = f"{measure}, top-{k}" if k else measure
            if wide:
                title = f"{title}: {shown(system)} less {shown(systems[0])}"
                _draw_grid(panel, of[of["system"] == system], axes, title, 1 if k else 2)
            elif reference:
                _draw_differences(panel, of, axes[0], systems, reference[0], title)
            else:
                _draw_lines(panel, of, axes, systems, title)
    if not wide:
        legend = panels[0][0].get_legend_handles_labels()
        figure.legend(*legend, loc="outside upper center", ncols=len(systems), frameon=False)
    save(figure, path)


def _draw_differences(
    panel: Axes, rows: DataFrame, axis: str, systems: Sequence[str], reference: Any, title: str
) -> None:
    of_systems = styles(systems)
    points = [point for point in dict.fromkeys(rows[axis]) if point != reference]
    panel.axvline(0, color="0.4", linewidth=1)
    for number, system in enumerate(systems):
        of = rows[(rows["system"] == system) & rows["difference"].notna()]
        shift = 0.2 * (number - (len(systems) - 1) / 2)
        places = [points.index(value) + shift for value in of[axis]]
        colour, marker = of_systems[system]
        errors = of["difference_deviation"].fillna(0)
        style: dict[str, Any] = {"color": colour, "capsize": 2, "linestyle": "none"}
        panel.errorbar(
            of["difference"], places, xerr=errors, marker=marker, label=shown(system), **style
        )
    panel.set_ylim(len(points) - 0.5, -0.5)
    panel.set_yticks(range(len(points)), [str(point) for point in points])
    panel.tick_params(axis="y", length=0)
    panel.set_xlabel(f"difference to {reference}")
    plain(panel, "x", title)


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


def _draw_grid(panel: Axes, rows: DataFrame, axes: Sequence[str], title: str, digits: int) -> None:
    down, across = axes
    of = rows.pivot(index=down, columns=across, values="difference")
    of = of.reindex(index=[*dict.fromkeys(rows[down])], columns=[*dict.fromkeys(rows[across])])
    most = float(np.nanmax(np.abs(of.to_numpy()))) or 1.0
    panel.imshow(of.to_numpy(), cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    columns, index = [*of.columns], [*of.index]
    for row in rows.to_dict("records"):
        place = columns.index(row[across]), index.index(row[down])
        text = spread(row["difference"], row["difference_deviation"], digits, "+")
        dark = abs(row["difference"]) > 0.6 * most
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
        panel.text(*place, text.replace(" ", "\n", 1), color="w" if dark else "k", **style)
    panel.set_xticks(range(len(columns)), [str(value) for value in columns])
    panel.set_yticks(range(len(index)), [str(value) for value in index])
    panel.set_xlabel(across)
    panel.set_ylabel(down)
    panel.set_title(title, fontsize=9, loc="left")
