"""The page of examples as one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil

from ecqg import templates
from ecqg.analysis.examples import PassageExample
from ecqg.attention.aggregate import Mention, normalise
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
        pieces=_pieces,
        shade=shade,
        **STYLE,
    )


def _pieces(example: PassageExample) -> Iterator[tuple[str, Mention | None, float | None, bool]]:
    """The text in order: what is before a mention, the mention, the density of its entity (as the
    study ranks entities, not mentions), and whether questions were conditioned on that.
    """
    text, chosen, end = example.passage.text, example.conditioned(), 0
    densities = {normalise(name): density for name, density in example.entity_densities()}
    for mention in example.mentions:
        if mention.start >= end:
            name = normalise(mention.text)
            yield text[end : mention.start], mention, densities.get(name), name in chosen
            end = mention.end
    yield text[end:], None, None, False
