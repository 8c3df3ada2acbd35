"""The colours of systems and of all else that is told apart, the same in pictures and plots.

Systems have the colours of Okabe and Ito, with a darker grey, so that readers with any colour
vision tell them apart, and markers, which tell them apart in print. Nothing else has one of them.
"""

from __future__ import annotations

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
    "supervised": Style("#CC79A7", "*"),
    "baseline": Style("#56B4E9", "X"),
}
# Measures, collections and other series, in this order.
SERIES = ("#332288", "#A89C3C", "#8C6BB1", "#6D4C41", "#7FB5B5")
REFERENCE = "#A3ADB8"  # what series are compared with
