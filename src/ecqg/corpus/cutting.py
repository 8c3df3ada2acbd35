"""Cut paragraphs into passages, between words or between sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def pack_sentences(text: str, starts: Sequence[int], most: int = WHOLE) -> list[tuple[int, int]]:
    """Character spans [start, end) of passages of whole sentences and at most `most` words.

    `starts` are the offsets at which sentences begin, the first 0. Sentences are taken in order
    for as long as they fit (AugDPR sec. 3.1: PubMed abstracts in passages of up to 120 words,
    sentence boundaries preserved). A sentence that is longer by itself is cut between words.
    """
    passages: list[tuple[int, int]] = []
    size = most  # words in the last passage; none is open yet
    for start, end in pairwise((*starts, len(text))):
        words = [match.span() for match in _WORD.finditer(text, start, end)]
        for first in range(0, len(words), most):
            piece = words[first : first + most]
            if size + len(piece) <= most:
                passages[-1] = (passages[-1][0], piece[-1][1])
                size += len(piece)
            else:
                passages.append((piece[0][0], piece[-1][1]))
                size = len(piece)
    return passages
