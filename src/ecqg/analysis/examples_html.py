"""The page of examples as one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

from ecqg import templates
from ecqg.analysis.examples import PassageExample
from ecqg.attention.shading import STYLE, shade


def examples_html(examples: Sequence[PassageExample], systems: Mapping[str, str]) -> str:
    """The whole document; `systems` maps the systems whose scores are shown to their names."""
    known = [density for e in examples for _, density in e.entity_densities()]
    ceiling = max(2.0, ceil(2 * max(known, default=0.0)) / 2)
    return templates.fill(
        __file__,
        escape,
        examples=examples,
        systems=systems,
        ceiling=ceiling,
        shade=shade,
        **STYLE,
    )
