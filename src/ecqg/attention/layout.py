"""Where the words of a heat map stand, line by line. Lengths are points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from matplotlib.font_manager import FontProperties

from ecqg.attention.heatmap import HeatMap, Panel, Word
from ecqg.attention.shading import ENTITY, PAPER, UNSEEN, shade

WIDTH, MARGIN = 760.0, 30.0
LINE = 33.0  # height of a line: words above, labels of entities below
SANS, SERIF = "DejaVu Sans", "DejaVu Serif"  # come with matplotlib: the same on every machine
WORD = FontProperties(family=SERIF, size=12.5)
TAG = FontProperties(family=SANS, size=5.8, weight="bold")

Measure = Callable[[str, FontProperties], float]  # the width of a text


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


def lay_out(heat_map: HeatMap, panel: Panel, measure: Measure) -> list[Box]:
    """Place words from left to right, and the label of each mention below its first word.

    Words without white space between them, such as a name and its full stop, stay on one line.
    No two boxes of a kind overlap.
    """
    boxes: list[Box] = []
    gap = measure("a b", WORD) - measure("ab", WORD)
    x, line = MARGIN, 0
    free = MARGIN  # where the next label on this line may begin
    before: Word | None = None
    for chunk in heat_map.chunks(panel):
        placed = _place(heat_map, chunk, before, (x, free, line), measure)
        if x > MARGIN and max(box.x + box.width for box in placed) > WIDTH - MARGIN:
            x, free, line = MARGIN, MARGIN, line + 1
            placed = _place(heat_map, chunk, before, (x, free, line), measure)
        boxes += placed
        x = max(box.x + box.width for box in placed if box.kind == "word") + gap
        free = max([free, *(box.x + box.width + 4 for box in placed if box.kind == "tag")])
        before = chunk[-1]
    return boxes + _underline(heat_map, panel, [box for box in boxes if box.kind == "word"])


def _place(
    heat_map: HeatMap,
    chunk: list[Word],
    before: Word | None,
    at: tuple[float, float, int],
    measure: Measure,
) -> list[Box]:
    """A chunk's words and labels; `at` is where words and labels may begin, and the line."""
    boxes: list[Box] = []
    x, free, line = at
    for word in chunk:
        mention = heat_map.mention_at(word)
        if mention and not (before and heat_map.mention_at(before) is mention):
            x = max(x, free)
            wide = measure(mention.label, TAG) + 3
            fill, ink = (ENTITY, PAPER) if heat_map.is_selected(mention) else (PAPER, ENTITY)
            boxes.append(Box("tag", x, line, wide, fill, ink, mention.label))
            free = x + wide + 4
        shown = heat_map.text[word.start : word.end]
        if word.density is None:
            fill, ink = PAPER, UNSEEN
        else:
            fill, ink = shade(word.density, heat_map.ceiling())
        boxes.append(Box("word", x, line, measure(shown, WORD), fill, ink, shown))
        x += boxes[-1].width
        before = word
    return boxes


def _underline(heat_map: HeatMap, panel: Panel, words: list[Box]) -> list[Box]:
    """A line below each mention, from its first to its last word on each line of text."""
    ends: dict[tuple[int, int], tuple[float, float]] = {}  # (mention, line) -> left, right
    for word, box in zip(panel.words, words, strict=True):
        mention = heat_map.mention_at(word)
        if mention:
            left, _ = ends.get((mention.start, box.line), (box.x, 0.0))
            ends[mention.start, box.line] = left, box.x + box.width
    return [
        Box("underline", left, line, right - left, ENTITY)
        for (_, line), (left, right) in ends.items()
    ]
