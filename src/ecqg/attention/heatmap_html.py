"""A heat map as one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from ecqg import templates
from ecqg.attention.aggregate import Mention
from ecqg.attention.heatmap import HeatMap, Panel
from ecqg.attention.shading import STYLE, shade

ROOM = 8  # characters without another label, from which on one may be wider than its words
Words = list[tuple[str, str, float | None]]  # what is before a word, the word, its density


def heatmap_html(heat_map: HeatMap) -> str:
    """The whole document."""
    return templates.fill(
        __file__, escape, heat_map=heat_map, groups=_groups, room=ROOM, shade=shade, **STYLE
    )


def _groups(heat_map: HeatMap, panel: Panel) -> Iterator[tuple[str, Mention | None, Words]]:
    """The text in order: what is before a group of words, their mention if they are one, they."""
    text, end = heat_map.text, 0
    for mention, group in groupby(panel.words, heat_map.mention_at):
        words = list(group)
        ends = [words[0].start, *(word.end for word in words)]
        gaps = (text[last : word.start] for last, word in zip(ends, words, strict=False))
        shown = [
            (gap, text[w.start : w.end], w.density) for gap, w in zip(gaps, words, strict=True)
        ]
        yield text[end : words[0].start], mention, shown
        end = words[-1].end
