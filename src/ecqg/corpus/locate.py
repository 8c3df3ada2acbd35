"""Find the passages that a reading context consists of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ecqg.corpus.passages import Passages
from ecqg.progress import track

# Contexts are looked up by their first characters; joined blocks are far longer than this.
KEY = 32
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A passage's place in a context: its text stands at [start, end)."""

    row: int
    start: int
    end: int


def locate_contexts(contexts: Iterable[str], passages: Passages) -> dict[str, tuple[Block, ...]]:
    """The passages of each context: one of equal text, or neighbouring ones joined by white space.

    Where several passages have the text, the first counts. Contexts that are not found are
    missing from the result. One pass over `passages`.
    """
    by_key: dict[str, list[str]] = defaultdict(list)
    for context in dict.fromkeys(contexts):
        by_key[context[:KEY]].append(context)
    found: dict[str, tuple[Block, ...]] = {}
    openings: dict[str, list[int]] = defaultdict(list)  # rows whose text begins a context
    for passage in track(passages, "Find gold passages", total=len(passages), unit="passage"):
        for context in by_key.get(passage.text[:KEY], ()):
            if context == passage.text:
                found.setdefault(context, (Block(passage.row, 0, len(context)),))
            elif context.startswith(passage.text):
                openings[context].append(passage.row)
    for context, rows in openings.items():
        if context not in found:
            chains = (_follow(context, row, passages) for row in rows)
            if chain := next(filter(None, chains), None):
                found[context] = chain
    return found


def _follow(context: str, row: int, passages: Passages) -> tuple[Block, ...] | None:
    """The blocks from `row` on that make up the whole context, or None."""
    blocks: list[Block] = []
    place = 0
    while place < len(context):
        if row >= len(passages) or not context.startswith(text := passages[row].text, place):
            return None
        blocks.append(Block(row, place, place + len(text)))
        place = _SPACE.match(context, place + len(text)).end()  # type: ignore[union-attr]
        row += 1
    return tuple(blocks)
