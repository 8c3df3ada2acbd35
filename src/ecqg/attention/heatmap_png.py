"""A heat map as a picture, by matplotlib.

Lengths are points and y grows downwards. The passage is laid out before anything is drawn,
because the picture's height follows from it.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, Rectangle

from ecqg.attention.heatmap import HeatMap, Panel
from ecqg.attention.shading import ENTITY, FAINT, INK, PAPER, STOPS, UNSEEN, shade
from ecqg.files import atomic

DPI = 160
WIDTH, MARGIN = 760.0, 30.0
LINE = 33.0  # height of a line: words above, labels of entities below
ROW = 18.0  # height of an entity's row
SANS, SERIF = "DejaVu Sans", "DejaVu Serif"  # come with matplotlib: the same on every machine
WORD = FontProperties(family=SERIF, size=12.5)
TAG = FontProperties(family=SANS, size=5.8, weight="bold")
HEADING = FontProperties(family=SANS, size=12.5, weight="bold")
COLUMN = FontProperties(family=SANS, size=8)  # above the numbers of a system


@dataclass(frozen=True, slots=True)
class Box:
    """A word, the line below a mention, or the label below that."""

    kind: Literal["word", "underline", "tag"]
    x: float
    line: int  # 0-based
    width: float
    fill: str
    ink: str = ""
    text: str = ""


def lay_out(heat_map: HeatMap, panel: Panel) -> list[Box]:
    """Place words from left to right, and the label of each mention below its first word.

    Words without white space between them, such as a name and its full stop, stay on one line.
    No two boxes of a kind overlap.
    """
    words, ceiling = panel.words, heat_map.ceiling()
    mentions = [heat_map.mention_at(word) for word in words]
    gap = measure("a b", WORD) - measure("ab", WORD)

    def place(part: range, x: float, free: float, line: int) -> tuple[list[Box], float, float]:
        """Some words with labels, from `x` and `free` on, and where the next ones may begin."""
        boxes: list[Box] = []
        for i in part:
            mention, density = mentions[i], words[i].density
            if mention and not (i and mentions[i - 1] is mention):
                x, width = max(x, free), measure(mention.label, TAG) + 3
                chosen = heat_map.is_selected(mention)
                colours = (ENTITY, PAPER) if chosen else (PAPER, ENTITY)
                boxes.append(Box("tag", x, line, width, *colours, mention.label))
                free = x + width + 4
            shown = heat_map.text[words[i].start : words[i].end]
            colours = (PAPER, UNSEEN) if density is None else shade(density, ceiling)
            boxes.append(Box("word", x, line, measure(shown, WORD), *colours, shown))
            x += boxes[-1].width
        return boxes, x + gap, free

    boxes: list[Box] = []
    x, free, line = MARGIN, MARGIN, 0
    begins = [i for i, w in enumerate(words) if not i or words[i - 1].end < w.start]
    for part in map(range, begins, [*begins[1:], len(words)]):
        placed, after, room = place(part, x, free, line)
        if x > MARGIN and max(box.x + box.width for box in placed) > WIDTH - MARGIN:
            line += 1
            placed, after, room = place(part, MARGIN, MARGIN, line)
        boxes += placed
        x, free = after, room

    ends: dict[tuple[int, int], tuple[float, float]] = {}  # (mention, line) -> left, right
    for mention, box in zip(mentions, [b for b in boxes if b.kind == "word"], strict=True):
        if mention:
            left, _ = ends.get((mention.start, box.line), (box.x, 0.0))
            ends[mention.start, box.line] = left, box.x + box.width
    return boxes + [
        Box("underline", left, line, right - left, ENTITY)
        for (_, line), (left, right) in ends.items()
    ]


def write_heatmap_png(path: str | Path, heat_map: HeatMap) -> None:
    """Draw title, gold questions, the passage under each system, the scale, and all entities."""
    laid_out = [lay_out(heat_map, panel) for panel in heat_map.panels]
    questions = [
        line
        for question, answer in heat_map.questions
        for line in textwrap.wrap(f"Gold question: {question} — {answer}", 115)
    ]
    tall = [LINE * (max(box.line for box in boxes) + 1) for boxes in laid_out]
    top = MARGIN + 24 + 15 * len(questions)
    height = top + sum(42 + h for h in tall) + 62 + 52 + ROW * len(heat_map.entity_rows()) + 12

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
        _write_heading(axes, y + 26, panel.system, panel.summary)
        for box in boxes:
            _draw_box(axes, box, y + 42 + LINE * box.line)
        y += 42 + h
    _draw_scale(axes, y + 18, heat_map)
    _draw_entities(axes, y + 62, heat_map)
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=DPI, metadata={"Software": None})


def measure(text: str, font: FontProperties) -> float:
    """The width of a text."""
    return float(_renderer().get_text_width_height_descent(text, font, ismath=False)[0]) / 10


@cache
def _renderer() -> Any:
    return FigureCanvasAgg(Figure(dpi=720)).get_renderer()  # fine, as widths are whole pixels


def _write(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    plain: dict[str, Any] = {"color": INK, "va": "baseline"}
    if "fontproperties" not in style:
        plain |= {"size": 10, "family": SANS}
    axes.text(x, y, text, parse_math=False, **{**plain, **style})


def _write_heading(axes: Axes, y: float, text: str, beside: str) -> None:
    _write(axes, MARGIN, y, text, fontproperties=HEADING)
    _write(axes, MARGIN + measure(text, HEADING) + 12, y, beside, size=9, color=FAINT)


def _draw_box(axes: Axes, box: Box, top: float) -> None:
    base = top + 14  # the baseline of the words
    if box.kind == "tag":
        corner, size = (box.x + 1.5, base + 8.2), (box.width - 3, 5.2)
        style = "round,pad=1.5"
        axes.add_patch(FancyBboxPatch(corner, *size, style, color=box.fill, linewidth=0))
        _write(axes, box.x + 1.5, base + 13.1, box.text, fontproperties=TAG, color=box.ink)
        return
    y, height = (base - 12, 16) if box.kind == "word" else (base + 4, 1.6)
    axes.add_patch(Rectangle((box.x, y), box.width, height, color=box.fill, linewidth=0))
    if box.kind == "word":
        _write(axes, box.x, base, box.text, fontproperties=WORD, color=box.ink)


def _draw_scale(axes: Axes, y: float, heat_map: HeatMap) -> None:
    """The colours of densities from 0 to the ceiling."""
    left, width = MARGIN + 62, 220.0
    _write(axes, MARGIN, y + 9, "Attention", size=9)
    colours = LinearSegmentedColormap.from_list("attention", list(STOPS))
    extent = (left, left + width, y + 11, y)
    axes.imshow([range(256)], cmap=colours, extent=extent, aspect="auto", zorder=0.5)
    axes.add_patch(Rectangle((left, y), width, 11, fill=False, edgecolor="#ccd1d6", linewidth=0.8))
    for density, text in heat_map.marks():
        x = left + width * density / heat_map.ceiling()
        _write(axes, x, y + 22, text, size=8, color=FAINT, ha="center")
    note = "of a word over the mean of all tokens;  entities are underlined,"
    _write(axes, left + width + 26, y + 4, note, size=8, color=FAINT)
    note = f"{heat_map.what_is_selected()} have a filled label"
    _write(axes, left + width + 26, y + 16, note, size=8, color=FAINT)


def _draw_entities(axes: Axes, top: float, heat_map: HeatMap) -> None:
    """All entities, a row each: how much each system attends to them."""
    what = "mean over the word pieces of all its mentions; uniform = 1"
    _write_heading(axes, top + 12, "Attention on each entity", what)
    rows, panels = heat_map.entity_rows(), heat_map.panels
    # A column of numbers for each system, as wide as its name and the dot before it.
    widths = [max(66.0, measure(panel.system, COLUMN) + 18) for panel in panels]
    columns = [WIDTH - MARGIN - sum(widths[k + 1 :]) for k in range(len(widths))]
    left, right = MARGIN + 220, WIDTH - MARGIN - sum(widths) - 18
    largest = heat_map.largest_entity()

    def place(density: float) -> float:
        return left + (right - left) * density / largest

    def dot(x: float, y: float, colour: str) -> None:
        axes.plot([x], [y], "o", color=colour, markersize=5.5, markeredgewidth=0, zorder=2)

    first = top + 42
    last = first + ROW * (len(rows) - 1)
    axes.plot([place(1)] * 2, [first - 8, last + 8], color="#ccd1d6", linewidth=1, zorder=0)
    for panel, x in zip(panels, columns, strict=True):
        _write(axes, x, top + 26, panel.system, size=8, color=FAINT, ha="right")
        dot(x - measure(panel.system, COLUMN) - 7, top + 23, panel.colour)
    for i, row in enumerate(rows):
        y = first + ROW * i
        ink, weight = (ENTITY, "bold") if row.selected else (INK, "normal")
        name = textwrap.shorten(row.name, 34, placeholder=" …")
        _write(axes, MARGIN, y + 3.5, name, size=9, color=ink, weight=weight)
        known = [place(d) for d in row.densities if d is not None]
        if known:
            axes.plot([min(known), max(known)], [y, y], color="#c3c9cf", linewidth=2.5, zorder=1)
        for density, x, panel in zip(row.densities, columns, panels, strict=True):
            if density is not None:
                dot(place(density), y, panel.colour)
                _write(axes, x, y + 3.5, f"{density:.2f}", size=8.5, ha="right")
