"""Where the [CLS] attention goes, by system, as a picture.

Ours are filled; where the data are the papers' own, the published ones stand beside, hollow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ecqg.palette import SERIES, STYLES, Style, styles
from ecqg.report import published
from ecqg.report.names import shown
from ecqg.report.pictures import bars, new_figure, plain, save
from ecqg.report.results import Results, relative_change

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIRST, SECOND = SERIES[:2]  # of two measures in one panel
BELOW = 0.22  # of a row: the published point under ours


class Point(NamedTuple):
    """A value with the bounds of its interval, where it has one."""

    row: str
    value: float
    low: float | None = None
    high: float | None = None
    ours: bool = True


class Series(NamedTuple):
    """Points of one measure; without a colour each has its system's."""

    points: list[Point]
    colour: str | None = None
    label: str = ""


class Panel(NamedTuple):
    """A line for each row, all of its series, and a value to compare with."""

    title: str
    unit: str
    rows: list[str]
    series: list[Series]
    reference: float | None = None


def draw_attention(path: Path, results: Results, explanation: Mapping[str, Any]) -> None:
    """Draw attention by system, with `explanation`, what the stage of that name found."""
    drawn = panels(results, explanation)
    figure = new_figure(13, 1.7 + 0.3 * max(len(panel.rows) for panel in drawn))
    named: list[str] = []
    of_rows = {shown(s): style for s, style in styles(results.study.systems).items()}
    for axes, panel in zip(figure.subplots(1, len(drawn)), drawn, strict=True):
        for series in panel.series:
            _draw(axes, panel.rows, series, of_rows)
        if panel.reference is not None:
            axes.axvline(panel.reference, color="0.6", linewidth=0.8)
        plain(axes, "x", panel.title)
        axes.set_xlabel(panel.unit)
        # Neighbours with the same rows are named once: long names would leave no room.
        names = panel.rows if panel.rows != named else [""] * len(panel.rows)
        axes.set_yticks(range(len(panel.rows)), names, fontsize=9)
        named = panel.rows
        axes.set_ylim(len(panel.rows) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.12)
        if any(series.label and series.points for series in panel.series):
            axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.3))
    fills = {"ours": "0.3", "published": "white"} if results.study.on_published_data else {}
    squares = [
        figure.axes[0].plot([], [], "s", color="0.3", markerfacecolor=fill)[0]
        for fill in fills.values()
    ]
    if fills:
        figure.legend(squares, list(fills), loc="outside upper right", ncols=2, frameon=False)
    save(figure, path)


def panels(results: Results, explanation: Mapping[str, Any]) -> list[Panel]:
    """What the picture shows: entropy, sentences, and the entities by attention."""
    rows = [shown(s) for s in results.attention] or [shown("dpr")]
    explained = [shown(s) for s in explanation] or [shown("dpr")]
    papers, beside = published.papers(), results.study.on_published_data

    def measured(measure: str) -> list[Point]:
        bounds = {s: of.get(measure, ()) for s, of in results.intervals.items()}
        return [
            Point(shown(system), values[measure], *bounds.get(system, ()))
            for system, values in results.attention.items()
            if measure in values
        ]

    def theirs(values: Mapping[str, float]) -> list[Point]:
        return [Point(shown(s), value, ours=False) for s, value in values.items() if beside]

    def half(measure: str, colour: str, label: str) -> Series:
        of_dpr = theirs({"dpr": papers["entities"][measure]})
        return Series([*measured(measure), *of_dpr], colour, label)

    entropy = papers["attention"]["entropy"].items()
    entropies = theirs({s: value for s, value in entropy if s in results.attention})
    weights = [
        Series(measured("first_sentence"), FIRST, "first sentence"),
        Series(measured("later_sentences"), SECOND, "later sentences"),
    ]
    halves = [
        half("highest_first_half", FIRST, "highest, first half"),
        half("lowest_second_half", SECOND, "lowest, second half"),
    ]
    bases = papers["attention"]["later_sentences"]
    gains = [point for base in bases for point in _gain(results, base, bases[base])]
    gained = [Series(gains, STYLES["mixed"].colour)]
    high, low = (papers["entities"][f"{which}_score"] for which in ("highest", "lowest"))
    scores = [_relative_gap(system, of["extremes"]) for system, of in explanation.items()]
    scores += theirs({"dpr": 100 * (high - low) / low})
    over = [f"over {shown(base)}" for base in bases]
    return [
        Panel("Entropy", "nats", rows, [Series([*measured("entropy"), *entropies])]),
        Panel("Weight of a token", "1: uniform attention", rows, weights, 1),
        Panel("Entities by attention", "% of passages", rows, halves, 50),
        Panel("Later sentences", "% more in Mixed-DPR", over, gained, 0),
        Panel("Highest over lowest", "% higher score", explained, [Series(scores)], 0),
    ]


def _relative_gap(system: str, extremes: Mapping[str, Any]) -> Point:
    """Scores of two retrievers are on scales of their own; their ratios can be compared."""
    gap, low = extremes["difference"], abs(extremes["lowest"]["score"])
    return Point(shown(system), *(100 * gap[bound] / low for bound in ("score", "low", "high")))


def _gain(results: Results, base: str, theirs: float) -> Iterator[Point]:
    """By how many percent Mixed-DPR's attention on later sentences is above that of another."""
    measure, over = "later_sentences", f"over {shown(base)}"
    ours = relative_change(results, measure, "mixed", base)
    if ours is not None:
        tests = results.comparison.get(("mixed", base), {}).get("attention", {}).get(measure)
        percent = 100 / results.attention[base][measure]
        low, high = (percent * tests[b] if tests else None for b in ("low", "high"))
        yield Point(over, ours, low, high)
    if results.study.on_published_data:
        yield Point(over, theirs, ours=False)


def _draw(axes: Axes, rows: list[str], series: Series, of_rows: Mapping[str, Style]) -> None:
    label = series.label
    for point in series.points:
        if point.row not in rows:
            continue
        colour, marker = of_rows.get(point.row, STYLES["dpr"])
        if series.colour:
            colour, marker = series.colour, "o"
        place = rows.index(point.row) + (0 if point.ours else BELOW)
        style: dict[str, Any] = {
            "fmt": marker if point.ours else "s",
            "color": colour,
            "label": label,
        }
        style["markerfacecolor"] = colour if point.ours else "white"
        if point.low is None or point.high is None:
            axes.errorbar([point.value], [place], markersize=5.5, **style)
        else:
            bounds = [(point.value, point.low, point.high)]
            bars(axes, [place], bounds, markersize=5.5, **style)
        label = ""  # once in the legend
