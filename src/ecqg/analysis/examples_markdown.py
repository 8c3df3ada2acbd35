"""The page of examples in Markdown, for a code host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ecqg import templates
from ecqg.analysis.examples import PassageExample
from ecqg.attention.aggregate import normalise

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def examples_markdown(examples: Sequence[PassageExample], systems: Mapping[str, str]) -> str:
    """The whole page; `systems` maps the systems whose scores are shown to their names."""
    return templates.fill(__file__, escape, examples=examples, systems=systems, pieces=_pieces)


def escape(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> print(escape("a*b |\nc"))
    a\*b \| c
    """
    return re.sub(r"\s+", " ", _SPECIAL.sub(r"\\\1", text))


def _pieces(example: PassageExample) -> Iterator[tuple[str, bool]]:
    """The text in order, and whether questions were conditioned on this piece of it."""
    chosen, text, end = example.conditioned(), example.passage.text, 0
    for mention in example.mentions:
        if normalise(mention.text) in chosen and mention.start >= end:
            yield text[end : mention.start], False
            yield mention.text, True
            end = mention.end
    yield text[end:], False
