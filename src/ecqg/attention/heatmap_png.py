"""A heat map as a picture, by matplotlib.

Lengths are points and y grows downwards. The passage is laid out before anything is drawn,
because the picture's height follows from it.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.text import Text

from ecqg.attention.heatmap import HeatMap
from ecqg.attention.layout import LINE, MARGIN, SANS, TAG, WIDTH, WORD, Box, Measure, lay_out
from ecqg.attention.shading import ENTITY, FAINT, INK, STOPS
from ecqg.files import atomic

DPI = 160
ROW = 18.0  # height of an entity's row
HEADING = FontProperties(family=SANS, size=12.5, weight="bold")
COLUMN = FontProperties(family=SANS, size=8)  # above the numbers of a system


def write_heatmap_png(path: str | Path, heat_map: HeatMap) -> None:
    """Draw title, gold questions, the passage under each system, the scale, and all entities."""
    measure = _measure()
    laid_out = [lay_out(heat_map, panel, measure) for panel in heat_map.panels]
    questions = [
        line
        for question, answer in heat_map.questions
        for line in textwrap.wrap(f"Gold question: {question} — {answer}", 115)
    ]
    rows = heat_map.entity_rows()
    tall = [LINE * (max(box.line for box in boxes) + 1) for boxes in laid_out]
    top = MARGIN + 24 + 15 * len(questions)
    height = top + sum(42 + h for h in tall) + 62 + 52 + ROW * len(rows) + 12

    figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=DPI)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(height, 0))
    axes.axis("off")

    title = textwrap.shorten(heat_map.shown_title(), 60, placeholder=" …")
    _write(axes, MARGIN, MARGIN + 10, title, size=17, weight="bold")
    for i, line in enumerate(questions):
        _write(axes, MARGIN, MARGIN + 32 + 15 * i, line, color=FAINT)
    y = top
    for panel, boxes, h in zip(heat_map.panels, laid_out, tall, strict=True):
        _write(axes, MARGIN, y + 26, panel.system, fontproperties=HEADING)
        beside = MARGIN + measure(panel.system, HEADING) + 12
        _write(axes, beside, y + 26, panel.summary(), size=9, color=FAINT)
        for box in boxes:
            _draw_box(axes, box, y + 42 + LINE * box.line)
        y += 42 + h
    _draw_scale(axes, y + 18, heat_map)
    _draw_entities(axes, y + 62, heat_map, measure)
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=DPI, metadata={"Software": None})


def _measure() -> Measure:
    renderer = FigureCanvasAgg(Figure(dpi=720)).get_renderer()  # fine, as widths are whole pixels

    def measure(text: str, font: FontProperties) -> float:
        return float(renderer.get_text_width_height_descent(text, font, ismath=False)[0]) / 10

    return measure


def _write(axes: Axes, x: float, y: float, text: str, **style: Any) -> Text:
    plain = {"color": INK, "size": 10, "va": "baseline", "family": SANS}
    if "fontproperties" in style:
        plain = {"color": INK, "va": "baseline"}
    return axes.text(x, y, text, parse_math=False, **{**plain, **style})


def _draw_box(axes: Axes, box: Box, top: float) -> None:
    base = top + 14  # the baseline of the words
    if box.kind == "word":
        _fill(axes, box.x, base - 12, box.width, 16, box.fill)
        _write(axes, box.x, base, box.text, fontproperties=WORD, color=box.ink)
    elif box.kind == "underline":
        _fill(axes, box.x, base + 4, box.width, 1.6, box.fill)
    else:
        corner = (box.x + 1.5, base + 8.2)
        size = (box.width - 3, 5.2)
        style = "round,pad=1.5"
        axes.add_patch(FancyBboxPatch(corner, *size, style, color=box.fill, linewidth=0))
        _write(axes, box.x + 1.5, base + 13.1, box.text, fontproperties=TAG, color=box.ink)


def _fill(axes: Axes, x: float, y: float, width: float, height: float, colour: str) -> None:
    axes.add_patch(Rectangle((x, y), width, height, color=colour, linewidth=0))


def _draw_scale(axes: Axes, y: float, heat_map: HeatMap) -> None:
    """The colours of densities from 0 to the ceiling."""
    left, width, ceiling = MARGIN + 62, 220.0, heat_map.ceiling()
    _write(axes, MARGIN, y + 9, "Attention", size=9)
    colours = LinearSegmentedColormap.from_list("attention", list(STOPS))
    extent = (left, left + width, y + 11, y)
    axes.imshow([range(256)], cmap=colours, extent=extent, aspect="auto", zorder=0.5)
    axes.add_patch(Rectangle((left, y), width, 11, fill=False, edgecolor="#ccd1d6", linewidth=0.8))
    for density, text in ((0.0, "0"), (1.0, "1 = uniform"), (ceiling, f"≥ {ceiling:g}")):
        x = left + width * density / ceiling
        _write(axes, x, y + 22, text, size=8, color=FAINT, ha="center")
    note = "of a word over the mean of all tokens;  entities are underlined,"
    _write(axes, left + width + 26, y + 4, note, size=8, color=FAINT)
    note = f"{heat_map.what_is_selected()} have a filled label"
    _write(axes, left + width + 26, y + 16, note, size=8, color=FAINT)


def _draw_entities(axes: Axes, top: float, heat_map: HeatMap, measure: Measure) -> None:
    """All entities, a row each: how much each system attends to them."""
    _write(axes, MARGIN, top + 12, "Attention on each entity", fontproperties=HEADING)
    beside = MARGIN + measure("Attention on each entity", HEADING) + 12
    what = "mean over the word pieces of all its mentions; uniform = 1"
    _write(axes, beside, top + 12, what, size=9, color=FAINT)
    rows = heat_map.entity_rows()
    # A column of numbers for each system, as wide as its name and the dot before it.
    widths = [max(66.0, measure(panel.system, COLUMN) + 18) for panel in heat_map.panels]
    columns = [WIDTH - MARGIN - sum(widths[k + 1 :]) for k in range(len(widths))]
    left, right = MARGIN + 220, WIDTH - MARGIN - sum(widths) - 18
    largest = heat_map.largest_entity()

    def place(density: float) -> float:
        return left + (right - left) * density / largest

    first = top + 42
    last = first + ROW * (len(rows) - 1)
    axes.plot([place(1)] * 2, [first - 8, last + 8], color="#ccd1d6", linewidth=1, zorder=0)
    for panel, x in zip(heat_map.panels, columns, strict=True):
        _write(axes, x, top + 26, panel.system, size=8, color=FAINT, ha="right")
        _dot(axes, x - measure(panel.system, COLUMN) - 7, top + 23, panel.colour)
    for i, row in enumerate(rows):
        y = first + ROW * i
        ink, weight = (ENTITY, "bold") if row.selected else (INK, "normal")
        name = textwrap.shorten(row.name, 34, placeholder=" …")
        _write(axes, MARGIN, y + 3.5, name, size=9, color=ink, weight=weight)
        known = [place(d) for d in row.densities if d is not None]
        if known:
            axes.plot([min(known), max(known)], [y, y], color="#c3c9cf", linewidth=2.5, zorder=1)
        for density, x, panel in zip(row.densities, columns, heat_map.panels, strict=True):
            if density is not None:
                _dot(axes, place(density), y, panel.colour)
                _write(axes, x, y + 3.5, f"{density:.2f}", size=8.5, ha="right")


def _dot(axes: Axes, x: float, y: float, colour: str) -> None:
    axes.plot([x], [y], "o", color=colour, markersize=5.5, markeredgewidth=0, zorder=2)
