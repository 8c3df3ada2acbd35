"""Find the passages that a reading context consists of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ecqg.corpus.passages import Passages
from ecqg.progress import track
from ecqg.shards import map_blocks

ZONE = 10_000  # passages looked at between two looks at the clock

# Contexts are looked up by their first characters; joined blocks are far longer than this.
KEY = 32
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A passage's place in a context: its text stands at [start, end)."""

    row: int
    start: int
    end: int


def locate_contexts(
    contexts: Iterable[str], passages: Passages, resume_dir: Path | None = None
) -> dict[str, tuple[Block, ...]]:
    """The passages of each context: one of equal text, or neighbouring ones joined by white space.

    Where several passages have the text, the first counts. Contexts that are not found are
    missing from the result. One pass over `passages`; what it has found is kept in the folder
    `resume_dir`, where there is one (`map_blocks`).
    """
    asked = list(dict.fromkeys(contexts))
    by_key: dict[str, list[int]] = defaultdict(list)
    for number, context in enumerate(asked):
        by_key[context[:KEY]].append(number)

    def look(begin: int) -> list[list[int]]:
        """Of a zone of passages: row, context that begins with it, and whether it is all of it."""
        return [
            [passage.row, number, asked[number] == passage.text]
            for passage in passages[begin : begin + ZONE]
            for number in by_key.get(passage.text[:KEY], ())
            if asked[number].startswith(passage.text)
        ]

    zones = map_blocks(resume_dir, range(0, len(passages), ZONE), look)
    bar = track(zones, "find gold passages", total=-(-len(passages) // ZONE), unit="zone")
    found: dict[str, tuple[Block, ...]] = {}
    openings: dict[str, list[int]] = defaultdict(list)  # rows whose text begins a context
    for row, number, whole in chain.from_iterable(bar):
        context = asked[number]
        if whole:
            found.setdefault(context, (Block(row, 0, len(context)),))
        else:
            openings[context].append(row)
    for context, rows in openings.items():
        if context not in found:
            chains = (_follow(context, row, passages) for row in rows)
            if blocks := next(filter(None, chains), None):
                found[context] = blocks
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
