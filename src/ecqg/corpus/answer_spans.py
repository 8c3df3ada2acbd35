"""Where in a text an answer stands, by DPR's definition of whether it does.

Text and answer are NFD-normalised, cut by DrQA's SimpleTokenizer and lower-cased token by token,
and the answer's tokens must stand in the text side by side: `ecqg.evaluation.answers`, which says
more, and which a test holds this against. It needs no places; here they are all that counts, as
characters of the text before it was normalised.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import regex

from ecqg.corpus.reading import Answer

TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")


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
