"""One colour for one system, and colours that readers with any colour vision tell apart."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from declarations import ROOT
from numpy.typing import NDArray

from ecqg.palette import OTHERS, REFERENCE, SERIES, STYLES, styles
from ecqg.report.names import LABELS, shown

ALL = STYLES | {f"other {place}": style for place, style in enumerate(OTHERS)}
TEMPLATES = sorted((ROOT / ".dvc/plots").glob("*.json"))
# Linear RGB as it looks to people without one kind of cone (Machado et al. 2009, table 1).
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = XYZ.sum(axis=1)


def lab(colour: str, vision: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIELAB of an sRGB colour as it is seen."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(XYZ @ np.clip(vision @ linear, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(a: str, b: str, vision: str) -> float:
    return float(np.linalg.norm(lab(a, VISION[vision]) - lab(b, VISION[vision])))


def test_lab_is_that_of_the_standard() -> None:
    assert lab("#FFFFFF", np.eye(3)) == pytest.approx([100, 0, 0], abs=0.05)
    assert lab("#FF0000", np.eye(3)) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


@pytest.mark.parametrize("vision", VISION)
def test_systems_are_told_apart_with_any_colour_vision(vision: str) -> None:
    # 2.3 is just noticeable side by side (Mahy et al. 1994).
    for (a, one), (b, other) in combinations(ALL.items(), 2):
        assert distance(one.colour, other.colour, vision) > 4 * 2.3, (a, b)
    assert len({style.marker for style in ALL.values()}) == len(ALL)


@pytest.mark.parametrize("vision", VISION)
def test_series_are_told_apart_and_none_has_a_systems_colour(vision: str) -> None:
    for one, other in combinations((*SERIES[:3], REFERENCE), 2):
        assert distance(one, other, vision) > 4 * 2.3, (one, other)
    for one in (*SERIES, REFERENCE):
        for system, style in ALL.items():
            assert distance(one, style.colour, "normal") > 4 * 2.3, (one, system)


def test_every_system_has_a_name_and_a_style() -> None:
    assert list(STYLES) == [system for system in LABELS if system != "supervised"]
    found = styles(["bm25", "my_own", "mixed", "dpr_webq", "mixed_reranked", "dpr_trivia"])
    first, second = OTHERS
    assert list(found.values()) == [STYLES["bm25"], first, STYLES["mixed"], second, first, second]
    names = ["BM25", "my_own", "Mixed-DPR", "dpr_webq", "Mixed-DPR, re-ranked", "dpr_trivia"]
    assert [shown(system) for system in found] == names


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_plots_have_these_colours(path) -> None:
    text = path.read_text(encoding="utf-8")
    # Systems are told apart by the colour that the table has; all else has no system's colour.
    of_systems = path.stem in {"accuracy", "entropy", "by_sentence"}
    assert ("datum.colour" in text or '"field": "colour"' in text) == of_systems
    assert not any(f'"{system}"' in text for system in STYLES)
    others = set(re.findall(r'"(#[0-9A-Fa-f]{6})"', text))
    assert others <= (set() if of_systems else {*SERIES, REFERENCE})
