"""Heat maps: which passage, what is shown, and that it is all there and legible."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from pandas import DataFrame

from ecqg.attention.aggregate import Mention
from ecqg.attention.heatmap import HeatMap, choose_passage, make_panel
from ecqg.attention.heatmap_png import (
    DPI,
    MARGIN,
    WIDTH,
    WORD,
    lay_out,
    measure,
    write_heatmap_png,
)
from ecqg.attention.shading import STOPS, contrast, shade
from ecqg.attention.tokens import SPECIAL, TEXT, TokenAttention
from ecqg.corpus.passages import Passage
from ecqg.palette import STYLES

SENTENCE = 'Bo & Al of "Ö-Town" <b> met Anna Bell, Cy, and Leo Vale-Smith of Rome (2,000 mi off). '
LONG = (SENTENCE * 6).strip()
NAMES = ["Bo", "Al", "Ö-Town", "Anna Bell", "Cy", "Leo Vale-Smith", "Rome"]


def per_passage(entropies: list[float]) -> DataFrame:
    rows = range(len(entropies))
    return DataFrame({"id": [f"p{i}" for i in rows], "row": rows, "entropy": entropies})


def test_the_passage_with_the_median_difference_among_eligible_ones() -> None:
    base, other = per_passage([1, 1, 1, 1, 1, 1]), per_passage([9, 2, 1, 4, 3, 1.5])
    entities = {0: 9, 1: 5, 2: 5, 3: 7, 4: 4}  # rows 4 and 5 have too few
    # Differences 8, 1, 0, 3: sorted 0, 1, 3, 8; the lower median is that of row 1.
    assert choose_passage([base, other], entities, set()) == 1
    # With gold questions about rows 0 and 3 (and 4, which has too few): 3, 8.
    assert choose_passage([base, other], entities, {"p0", "p3", "p4"}) == 3
    # Where no passage has enough, those with the most are eligible.
    assert choose_passage([base, other], {1: 2, 4: 3, 5: 3}, set()) == 5


def test_the_passage_of_other_numbers_of_systems() -> None:
    entities = dict.fromkeys(range(3), 5)
    one, two, three = per_passage([3, 1, 2]), per_passage([4, 9, 2]), per_passage([2, 1, 8])
    # The mean of two and three, less one: 0, 4, 3.
    assert choose_passage([one, two, three], entities, set()) == 2
    assert choose_passage([one, two], entities, set()) == 0  # 1, 8, 0
    assert choose_passage([one], entities, set()) == 2  # its entropy, 3, 1, 2


@pytest.fixture(scope="module")
def heat_map() -> HeatMap:
    spans = [(i, i + 1) for i, c in enumerate(LONG) if not c.isspace()]
    seen = len(spans) - 4  # the last four characters are beyond the length limit
    starts, ends = np.array(spans[:seen], np.int32).T
    kinds = np.array([SPECIAL] + [TEXT] * seen + [SPECIAL], np.int8)
    mentions = []
    for block in range(6):
        for name in NAMES:
            start = LONG.index(name, block * len(SENTENCE))
            mentions.append(Mention(name, "WORK_OF_ART", start, start + len(name), 0.1, 2))
    mentions.sort(key=lambda m: m.start)
    passage = Passage(0, "p", "A <title>", LONG, (0, len(SENTENCE)))
    panels = []
    for system, power in (("DPR", 3.0), ("Mixed-DPR", 1.0)):
        weights = np.linspace(1, 0, seen + 2, dtype=np.float32) ** power
        attention = TokenAttention(0, weights / weights.sum(), kinds, starts, ends, True)
        colour = STYLES[system.removesuffix("-DPR").lower()].colour
        panels.append(
            make_panel(system, colour, passage, attention, mentions, "exclude", "exclude")
        )
    questions = [("who met <Anna>?", "Bo & Al")]
    return HeatMap("A <title>", LONG, mentions, {"cy", "rome"}, "DPR", questions, panels)


def test_words_have_the_mean_density_of_their_pieces(heat_map: HeatMap) -> None:
    words = heat_map.panels[1].words
    assert "".join(LONG[w.start : w.end] for w in words) == "".join(LONG.split())
    densities = [w.density for w in words if w.density is not None]
    assert all(a >= b for a, b in pairwise(densities))  # the weights fall
    weighted = sum(w.density * (w.end - w.start) for w in words if w.density is not None)
    pieces = sum(w.end - w.start for w in words if w.density is not None)
    assert weighted / pieces == pytest.approx(1, abs=0.02)
    assert [LONG[w.start : w.end] for w in words if w.density is None] == ["off", ")", "."]


class Passages(HTMLParser):
    """Texts of the passages and of the names in them, without the labels."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.passages: list[str] = []
        self.names: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("meta", "line", "circle"):
            return
        kind = str(dict(attrs).get("class"))
        self.open.append((tag, kind))
        if kind == "passage":
            self.passages.append("")
        if kind == "name":
            self.names.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "circle"):
            assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        kinds = [kind for _, kind in self.open]
        if "tag" in kinds:
            self.tags.append(data)
        elif "passage" in kinds:
            self.passages[-1] += data
            if "name" in kinds:
                self.names[-1] += data


def test_html_shows_the_whole_text_with_its_entities(heat_map: HeatMap) -> None:
    page = heat_map.html()
    parsed = Passages()
    parsed.feed(page)
    assert parsed.open == []
    assert parsed.passages == [LONG, LONG]
    assert parsed.names == [m.text for m in heat_map.mentions] * 2
    assert parsed.tags == ["WORK_OF_ART"] * 2 * len(heat_map.mentions)
    assert "who met &lt;Anna&gt;?" in page and "A &lt;title&gt;" in page
    assert "http" not in page and "<script" not in page  # needs no other file
    assert page.count("<tr>") == 1 + len(NAMES)


def test_layout_has_every_word_once_and_no_overlaps(heat_map: HeatMap) -> None:
    for panel in heat_map.panels:
        boxes = lay_out(heat_map, panel)
        words = [box for box in boxes if box.kind == "word"]
        assert "".join(box.text for box in words) == "".join(LONG.split())
        tags = [box for box in boxes if box.kind == "tag"]
        assert [box.text for box in tags] == [m.label for m in heat_map.mentions]
        assert len({box.line for box in words}) > 3
        for kind in ("word", "tag", "underline"):
            placed = [box for box in boxes if box.kind == kind]
            for a, b in pairwise(placed):
                assert b.line > a.line or b.x >= a.x + a.width - 1e-6
            assert all(b.x >= MARGIN and b.x + b.width <= WIDTH for b in placed)
        widths = [box.width for box in boxes if box.kind == "underline"]
        whole = measure("Anna Bell", WORD)  # both words and what is between
        assert min(abs(width - whole) for width in widths) < 1


@pytest.mark.parametrize(
    ("ceiling", "expected"),
    [
        (5.5, ["0.0 0", "18.2 1 = uniform", "100.0 ≥ 5.5"]),
        (7.0, ["14.3 1 = uniform", "100.0 ≥ 7"]),
        (14.0, ["7.1 1 = uniform", "100.0 ≥ 14"]),
    ],
)
def test_the_legend_has_no_0_where_1_is_close(
    heat_map: HeatMap, monkeypatch: pytest.MonkeyPatch, ceiling: float, expected: list[str]
) -> None:
    monkeypatch.setattr(HeatMap, "ceiling", lambda _: ceiling)
    found = re.findall('<i style="left:(.*?)%">(.*?)</i>', heat_map.html())
    assert [" ".join(mark) for mark in found] == expected


def test_the_legend_names_a_selector_that_is_not_the_first(heat_map: HeatMap) -> None:
    assert "are underlined, the least attended ones have a filled label" in heat_map.html()
    other = dataclasses.replace(heat_map, selector="public <one>")
    assert "the least attended ones (public &lt;one&gt;) have a filled" in other.html()


@pytest.mark.slow
@pytest.mark.parametrize("names", [["DPR"], ["public baseline", "DPR", "A", "B", "Mixed-DPR"]])
def test_any_number_of_systems(heat_map: HeatMap, names: list[str], tmp_path: Path) -> None:
    colours = [style.colour for style in STYLES.values()]
    panels = [
        dataclasses.replace(heat_map.panels[0], system=name, colour=colour)
        for name, colour in zip(names, colours, strict=False)
    ]
    several = dataclasses.replace(heat_map, panels=panels)
    page = several.html()
    assert [page.count(f'{p.colour}">●</span> {p.system}</th>') for p in panels] == [1] * len(names)
    assert [page.count(f'fill="{p.colour}"') for p in panels] == [len(NAMES)] * len(names)
    assert page.count("<circle") == len(names) * len(NAMES)
    write_heatmap_png(tmp_path / "a.png", several)
    assert imread(tmp_path / "a.png").shape[1] == pytest.approx(WIDTH / 72 * DPI, abs=1)


@pytest.mark.slow
def test_png_is_the_same_every_time(heat_map: HeatMap, tmp_path: Path) -> None:
    write_heatmap_png(tmp_path / "a.png", heat_map)
    write_heatmap_png(tmp_path / "b.png", heat_map)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    picture = imread(tmp_path / "a.png")
    assert picture.shape[1] == pytest.approx(WIDTH / 72 * DPI, abs=1)
    assert picture[..., :3].std() > 0.05  # not blank


def test_shade_is_monotone_legible_and_clipped() -> None:
    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    shades = [shade(i / 20, 3.0) for i in range(80)]
    lights = [luminance(background) for background, _ in shades]
    assert all(a >= b for a, b in pairwise(lights))
    for background, ink in shades:
        a, b = sorted((luminance(background), luminance(ink)))
        assert (b + 0.05) / (a + 0.05) > 3  # WCAG's contrast ratio for large text
    assert shades[0][0] == STOPS[0] and shades[60][0] == shades[79][0] == STOPS[-1]


def test_words_are_legible_on_every_shade() -> None:
    # Ratios of the browsers' inspectors: to #767676 white is the first grey that is legible.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#ff0000", "#0000ff") == pytest.approx(2.15, abs=0.005)
    assert all(contrast(*shade(density / 50, 3)) >= 4.5 for density in range(200))
