"""Places: of passages in a reading context, and of answers in a text.

Whether an answer stands in a text is as DPR defines it. Text and answer are NFD-normalised, cut by
DrQA's SimpleTokenizer and lower-cased token by token, and the answer's tokens must stand in the
text side by side: `ecqg.evaluation.answers`, which says more, and which a test holds this against.
It needs no places; here they are all that counts, as characters of the text before it was
normalised.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import regex

from ecqg.corpus.passages import Passages
from ecqg.corpus.reading import Answer
from ecqg.progress import track
from ecqg.shards import map_blocks

ZONE = 10_000  # passages looked at between two looks at the clock

# Contexts are looked up by their first characters; joined blocks are far longer than this.
KEY = 32
TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")
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
    missing from the result. One pass over `passages`, which resumes from `resume_dir`
    (`map_blocks`).
    """
    wanted = list(dict.fromkeys(contexts))
    by_key: dict[str, list[int]] = defaultdict(list)
    for number, context in enumerate(wanted):
        by_key[context[:KEY]].append(number)

    def look(begin: int) -> list[list[int]]:
        """Of a zone of passages: row, context that begins with it, and whether it is all of it."""
        return [
            [passage.row, number, wanted[number] == passage.text]
            for passage in passages[begin : begin + ZONE]
            for number in by_key.get(passage.text[:KEY], ())
            if wanted[number].startswith(passage.text)
        ]

    zones = map_blocks(resume_dir, range(0, len(passages), ZONE), look)
    bar = track(zones, "find gold passages", total=-(-len(passages) // ZONE), unit="zone")
    found: dict[str, tuple[Block, ...]] = {}
    openings: dict[str, list[int]] = defaultdict(list)  # rows whose text begins a context
    for row, number, whole in chain.from_iterable(bar):
        context = wanted[number]
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


def find_answers(answers: Iterable[str], text: str) -> tuple[Answer, ...]:
    """The first place of each of `answers` in `text`, in the order of the places.

    Those that are not there, or have no token, are left out; a place that several share counts
    once.
    """
    words, edges = _tokens(text)
    haystack = _joined(words)
    found: dict[Answer, None] = {}
    for answer in answers:
        needle, _ = _tokens(answer)
        place = haystack.find(_joined(needle)) if needle else -1
        if place >= 0:
            first = haystack.count("\n", 0, place)
            begin, end = edges[first][0], edges[first + len(needle) - 1][1]
            found[Answer(text[begin:end], begin)] = None
    return tuple(sorted(found, key=lambda span: span.start))


def _tokens(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Lower-cased tokens, and for each the characters [begin, end) of `text` that it comes from."""
    origin: Sequence[int] = range(len(text))
    normal = text
    if not text.isascii():
        # Normalising also reorders marks, but no token begins or ends between two of them.
        normal = unicodedata.normalize("NFD", text)
        origin = [i for i, c in enumerate(text) for _ in unicodedata.normalize("NFD", c)]
    matches = list(TOKEN.finditer(normal))
    edges = [(origin[match.start()], origin[match.end() - 1] + 1) for match in matches]
    return [match.group().lower() for match in matches], edges


def _joined(words: Sequence[str]) -> str:
    """Words with a line feed, which no token holds, before, between and after them."""
    return "\n".join(["", *words, ""])
