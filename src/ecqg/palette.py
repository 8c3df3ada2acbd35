"""The colours of systems and of all else that is told apart, the same in pictures and plots.

Systems have the colours of Okabe and Ito, with a darker grey, so that readers with any colour
vision tell them apart, and markers, which tell them apart in print. Nothing else has one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import NamedTuple


class Style(NamedTuple):
    """A colour, and a marker of matplotlib's."""

    colour: str
    marker: str


STYLES = {
    "tfidf": Style("#6E6E6E", "v"),
    "bm25": Style("#000000", "s"),
    "dpr": Style("#0072B2", "o"),
    "uncon": Style("#E69F00", "D"),
    "mixed": Style("#D55E00", "^"),
    "aug": Style("#009E73", "P"),
}
OTHERS = (Style("#CC79A7", "*"), Style("#56B4E9", "X"))  # of systems that the papers do not have
# Measures, collections and other series, in this order.
SERIES = ("#332288", "#A89C3C", "#8C6BB1", "#6D4C41", "#7FB5B5")
REFERENCE = "#A3ADB8"  # what series are compared with
# What stands for a colour that a dark page would swallow.
DARK = {
    "#6E6E6E": "#9A9A9A",
    "#000000": "#FFFFFF",
    "#0072B2": "#3A9BD9",
    "#332288": "#9484F0",
    "#6D4C41": "#B58B7D",
    "#8C6BB1": "#B498D6",
}


def styles(systems: Iterable[str]) -> dict[str, Style]:
    """The style of each system of a study; those that the papers do not have take turns."""
    others = cycle(OTHERS)
    return {system: STYLES[system] if system in STYLES else next(others) for system in systems}
