"""A sweep's summary as a picture: a panel for each measure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg.palette import styles
from ecqg.report.formats import spread
from ecqg.report.names import shown
from ecqg.report.pictures import new_figure, plain, save
from ecqg.report.sweeps import Values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


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
    panel.locator_params(axis="x", nbins=5)  # more labels than that overlap
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
