"""Cut paragraphs into passages."""

from __future__ import annotations

import re
from itertools import pairwise

WHOLE = 120  # words of a paragraph that is not cut
MOST = 100  # words of a block of one that is
_WORD = re.compile(r"\S+")


def cut_paragraph(text: str) -> list[tuple[int, int]]:
    """Character spans [start, end) of the passages of a paragraph, none for one without words.

    A paragraph of up to WHOLE words is one passage; a longer one is cut between words into as few
    blocks of at most MOST words as it takes, of nearly equal length and without overlap, so that no
    passage is a stub, as the last one is where every 100 words are cut off (DPR).
    """
    words = [match.span() for match in _WORD.finditer(text)]
    if not words:
        return []
    blocks = 1 if len(words) <= WHOLE else -(-len(words) // MOST)
    bounds = [round(i * len(words) / blocks) for i in range(blocks + 1)]
    return [(words[first][0], words[last - 1][1]) for first, last in pairwise(bounds)]
