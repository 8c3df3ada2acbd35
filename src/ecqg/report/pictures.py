"""The picture of accuracy for Markdown, and what pictures have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.files import atomic
from ecqg.palette import styles
from ecqg.report.names import first_stages, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import Results, subset_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KS = (1, 5)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def plain(panel: Axes, grid: str, title: str = "") -> None:
    """A panel with a faint grid on one axis, x or y, and without a frame."""
    panel.grid(axis=grid, color="0.87", linewidth=0.6)  # type: ignore[arg-type]
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
    panel.set_title(title, fontsize=10, loc="left")


def save(figure: Figure, path: Path) -> None:
    """Write a PNG, without the version of matplotlib that it is by default signed with."""
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=150, metadata={"Software": None})


def draw_accuracy(path: Path, results: Results, confidence: float) -> None:
    """Draw top-1 and top-5 side by side, a line of points for each test set, the first on top.

    `confidence` is the level of the intervals.
    """
    numbers, test_sets = results.numbers, results.test_sets
    rows = numbers[(numbers.metric == ACCURACY) & numbers.k.isin(KS) & numbers.name.isin(test_sets)]
    systems, of_systems = first_stages(results.accuracy), styles(results.study.systems)
    ks = [k for k in KS if k in {*rows.k}] or KS[:1]
    figure = new_figure(10, 1.3 + 0.62 * len(test_sets))
    panels = figure.subplots(1, len(ks), sharey=True, squeeze=False)[0]
    for panel, k in zip(panels, ks, strict=True):
        for number, system in enumerate(systems):
            of = rows[(rows.system == system) & (rows.k == k)]
            of = of.assign(place=of.name.map(test_sets.index)).sort_values("place")
            offset = min(0.15, 0.8 / len(systems)) * (number - (len(systems) - 1) / 2)
            colour, marker = of_systems[system]
            panel.errorbar(
                of.value,
                of.place + offset,
                xerr=[(of.value - of.low).clip(0), (of.high - of.value).clip(0)],
                fmt=marker,
                color=colour,
                markersize=5,
                linewidth=1.2,
                label=shown(system),
            )
        for i in range(0, len(test_sets), 2):
            panel.axhspan(i - 0.5, i + 0.5, color="0.95", zorder=0)
        panel.set_ylim(max(1, len(test_sets)) - 0.5, -0.5)
        names = ["\n".join(subset_of(name) or (name,)) for name in test_sets]
        panel.set_yticks(range(len(test_sets)), names)
        panel.set_xlabel(f"top-{k} accuracy (%) with {100 * confidence:g} % interval")
        plain(panel, "x")
        panel.spines["left"].set_visible(False)
        panel.tick_params(axis="y", length=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(systems), frameon=False)
    save(figure, path)
