"""A sweep's summary as a picture: a panel for each measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg.palette import SERIES, Style, styles
from ecqg.report.formats import STARS, over_seeds, spread
from ecqg.report.names import shown
from ecqg.report.pictures import new_figure, plain, save
from ecqg.report.sweeps import DIFFERENCE, STATISTICS, Values, axis_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase
    from pandas import DataFrame

WIDTH, HEIGHT = 3.6, 3.4  # of a panel, in inches


def draw_sweep(
    path: Path, summary: DataFrame, pairs: DataFrame, axes: Sequence[str], reference: Values = ()
) -> None:
    """Draw a panel for each measure, of accuracy at the least k, with standard deviations.

    `summary` and `pairs` are what `summarise` and `compare_systems` return. Of two axes the
    differences between systems (of one alone its values) as coloured grids, a row of panels for
    each pair. Of one axis or none a line for each system and, below, for each pair. Where there is
    a `reference` a row for each point: differences to it and, below, between systems.
    """
    summary, pairs = (_first_k(rows) for rows in (summary, pairs))
    if len(axes) == 2:
        of_one = {"pair": summary["system"].map(shown), "difference": summary["mean"]}
        alone = summary.assign(**of_one, difference_deviation=summary["deviation"])
        save(_grids(alone if pairs.empty else pairs, axes), path)
    else:
        save(_rows(summary, pairs, axes, reference), path)


def _grids(pairs: DataFrame, axes: Sequence[str]) -> Figure:
    names = [*dict.fromkeys(pairs["pair"])]
    figure = new_figure(WIDTH * pairs["measure"].nunique(), HEIGHT * len(names))
    if "mean" not in pairs:
        figure.supxlabel(STARS, fontsize=8)
    # One scale for all accuracies, so that colours can be compared, and one for entropy.
    most = pairs["difference"].abs().groupby(pairs["k"] > 0).max()
    parts = figure.subfigures(len(names), squeeze=False)[:, 0]
    for part, name in zip(parts, names, strict=True):
        part.suptitle(name, fontsize=10)
        for panel, title, of in _panels(part, pairs[pairs["pair"] == name]):
            _draw_grid(panel, of, axes, title, most[of["k"].iloc[0] > 0] or 1.0)
    return figure


def _rows(summary: DataFrame, pairs: DataFrame, axes: Sequence[str], reference: Values) -> Figure:
    """Of systems, and below of pairs if there is one, a row of panels."""
    looks = {shown(name): of for name, of in styles(summary["system"].unique()).items()}
    drawn = [(summary.assign(line=summary["system"].map(shown)), looks)]
    if names := [*dict.fromkeys(pairs["pair"])]:
        looks = {name: Style(c, "o") for name, c in zip(names, cycle(SERIES), strict=False)}
        drawn.append((pairs.assign(line=pairs["pair"]), looks))
    height = 1.5 + 0.4 * summary[axes[0]].nunique() if reference else HEIGHT
    figure = new_figure(WIDTH * summary["measure"].nunique(), height * len(drawn))
    parts = figure.subfigures(len(drawn), squeeze=False)[:, 0]
    for part, (rows, looks) in zip(parts, drawn, strict=True):
        panels = [*_panels(part, rows, sharey=bool(reference))]
        for panel, title, of in panels:
            if reference:
                to = "difference" if "pair" in rows else f"difference to {reference[0]}"
                _draw_differences(panel, of.dropna(subset="difference"), axes[0], looks, to)
            else:
                _draw_lines(panel, of, axes, DIFFERENCE if "pair" in rows else STATISTICS, looks)
            plain(panel, "x" if reference else "y", title)
        labels = panels[0][0].get_legend_handles_labels()
        part.legend(*labels, loc="outside upper center", ncols=len(looks), frameon=False)
    return figure


def _first_k(rows: DataFrame) -> DataFrame:
    return rows[rows["k"] == rows.groupby("measure")["k"].transform("min")]


def _panels(
    figure: FigureBase, rows: DataFrame, sharey: bool = False
) -> Iterator[tuple[Axes, str, DataFrame]]:
    """A panel for each measure, with its title and its rows."""
    measures = [*dict.fromkeys(rows["measure"])]
    panels = figure.subplots(1, len(measures), squeeze=False, sharey=sharey)[0]
    for panel, measure in zip(panels, measures, strict=True):
        of = rows[rows["measure"] == measure]
        k = int(of["k"].iloc[0])
        yield panel, f"{measure}, top-{k}" if k else measure, of


def _draw_differences(
    panel: Axes, rows: DataFrame, axis: str, looks: Mapping[str, Style], label: str
) -> None:
    points = [*dict.fromkeys(rows[axis])]
    panel.axvline(0, color="0.4", linewidth=1)
    for number, (name, (colour, marker)) in enumerate(looks.items()):
        of = rows[rows["line"] == name]
        shift = 0.2 * (number - (len(looks) - 1) / 2)
        places = [points.index(value) + shift for value in of[axis]]
        errors = of["difference_deviation"].fillna(0)
        style: dict[str, Any] = {"color": colour, "capsize": 2, "linestyle": "none"}
        panel.errorbar(of["difference"], places, xerr=errors, marker=marker, label=name, **style)
    panel.set_ylim(len(points) - 0.5, -0.5)
    panel.set_yticks(range(len(points)), [*map(axis_label, points)])
    panel.tick_params(axis="y", length=0)
    panel.locator_params(axis="x", nbins=5)  # more labels than that overlap
    panel.set_xlabel(label)


def _draw_lines(
    panel: Axes,
    rows: DataFrame,
    axes: Sequence[str],
    columns: Sequence[str],
    looks: Mapping[str, Style],
) -> None:
    """Draw a line over the points for each of `looks`.

    The first two of `columns` have values and their deviations.
    """
    values, deviations = columns[:2]
    points = [*dict.fromkeys(rows[axes[0]])] if axes else [""]
    if values == "difference":
        panel.axhline(0, color="0.4", linewidth=1)
    for number, (name, (colour, marker)) in enumerate(looks.items()):
        of = rows[rows["line"] == name]
        shift = 0.06 * (number - (len(looks) - 1) / 2)
        at = of[axes[0]] if axes else [""] * len(of)
        places = [points.index(value) + shift for value in at]
        style: dict[str, Any] = {"color": colour, "capsize": 2, "linewidth": 1.2}
        errors = of[deviations].fillna(0)
        panel.errorbar(places, of[values], errors, marker=marker, label=name, **style)
    panel.set_xticks(range(len(points)), [*map(axis_label, points)])
    panel.set_xlabel(axes[0] if axes else "")


def _draw_grid(panel: Axes, rows: DataFrame, axes: Sequence[str], title: str, most: float) -> None:
    down, across = axes
    digits = 1 if rows["k"].iloc[0] else 2
    of = rows.pivot(index=down, columns=across, values="difference")
    of = of.reindex(index=[*dict.fromkeys(rows[down])], columns=[*dict.fromkeys(rows[across])])
    panel.imshow(of.to_numpy(), cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    columns, index = [*of.columns], [*of.index]
    for row in rows.to_dict("records"):
        place = columns.index(row[across]), index.index(row[down])
        values = row["difference"], row["difference_deviation"]
        text = spread(*values, digits) if "mean" in row else over_seeds(*values, row["p"], digits)
        dark = abs(row["difference"]) > 0.6 * most
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
        panel.text(*place, text.replace(" ", "\n", 1), color="w" if dark else "k", **style)
    panel.set_xticks(range(len(columns)), [*map(axis_label, columns)])
    panel.set_yticks(range(len(index)), [*map(axis_label, index)])
    panel.set_xlabel(across)
    panel.set_ylabel(down)
    panel.set_title(title, fontsize=9, loc="left")
