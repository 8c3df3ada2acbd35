"""DPR's answer matching: a passage answers a question if it contains an answer, token by token.

The definition is that of DPR's `has_answer` (qa_validation.py, match type "string") and Pyserini's
`has_answers`: text and answer are NFD-normalised, cut by DrQA's SimpleTokenizer (a run of letters,
digits and marks is a token, so is any other character that is neither a separator nor a control
character), each token is lower-cased, and the answer's tokens must stand in the text side by side.
The title of a passage does not count. An answer without any token is in every text.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import Protocol

import numpy as np
import regex

from ecqg.space import zeros

TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")
ASCII_TOKEN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")  # of lower-cased ASCII, several times faster
CAPITAL_SIGMA = "\u03a3"  # the one letter whose neighbours decide how it is lowered
CACHED_PASSAGES = 30_000  # in memory, about 30 MB of 100-word passages; all are on disk
CACHED_ANSWERS = 100_000


def tokens(text: str) -> list[str]:
    """The lower-cased tokens of the NFD-normalised text."""
    found: list[str]
    if text.isascii():
        found = ASCII_TOKEN.findall(text.lower())
        return found
    text = unicodedata.normalize("NFD", text)
    if CAPITAL_SIGMA in text:
        return [token.lower() for token in TOKEN.findall(text)]
    found = TOKEN.findall(text.lower())  # no other letter becomes something that is cut elsewhere
    return found


def token_string(text: str) -> str:
    r"""The tokens of `text`, a line feed before, between and after them.

    No token holds a line feed (a control character), so one text's tokens stand side by side in
    another's exactly if its token string is a substring of the other's.

    >>> token_string("St. Marie")
    '\nst\n.\nmarie\n'
    >>> token_string("")
    '\n'
    """
    return "\n".join(["", *tokens(text), ""])


def has_answer(answers: Iterable[str], text: str) -> bool:
    """Whether `text` contains at least one of `answers`."""
    return _holds(token_string(text), [token_string(answer) for answer in answers])


class HasText(Protocol):
    """What matching needs of a passage."""

    @property
    def text(self) -> str:
        """The passage's text, without its title."""


class TokenStrings:
    """Token strings of a collection's passages, each made when it is first asked for.

    They lie in a temporary file, so that memory holds none of them.
    """

    def __init__(self, passages: Sequence[HasText]) -> None:
        self._passages = passages
        self._file = TemporaryFile()  # noqa: SIM115 -- open as long as this
        self._end = 0
        with TemporaryFile() as file:  # the map keeps it
            # Place and size in the other file; size 0: not there. A map cannot be empty.
            shape = (max(1, len(passages)), 2)
            self._places = zeros(file, np.int64, shape, Path(gettempdir()))

    def __getitem__(self, row: int) -> str:
        """The token string of the passage at `row`."""
        begin, size = self._places[row].tolist()
        if size:
            return os.pread(self._file.fileno(), size, begin).decode("utf-8", "surrogatepass")
        made = token_string(self._passages[row].text)
        encoded = made.encode("utf-8", "surrogatepass")
        self._file.write(encoded)
        self._file.flush()
        self._places[row] = self._end, len(encoded)
        self._end += len(encoded)
        return made


class AnswerMatcher:
    """`has_answer` on the rows of a collection; each passage and each answer is tokenized once."""

    def __init__(self, passages: Sequence[HasText]) -> None:
        self._haystack = lru_cache(maxsize=CACHED_PASSAGES)(TokenStrings(passages).__getitem__)
        self._needle = lru_cache(maxsize=CACHED_ANSWERS)(token_string)

    def has_answer(self, answers: Iterable[str], row: int) -> bool:
        """Whether the passage at `row` contains at least one of `answers`."""
        return any(self.decide(answers, [row]))

    def decide(self, answers: Iterable[str], rows: Iterable[int]) -> Iterator[bool]:
        """For each of `rows` whether its passage contains at least one of `answers`."""
        needles = [self._needle(answer) for answer in answers]
        return (_holds(self._haystack(row), needles) for row in rows)

    def first_hit(self, answers: Iterable[str], rows: Iterable[int]) -> int:
        """The 1-based rank of the first of `rows` whose passage contains an answer; 0 if none."""
        decided = enumerate(self.decide(answers, rows), 1)
        return next((rank for rank, held in decided if held), 0)


def _holds(haystack: str, needles: list[str]) -> bool:
    for needle in needles:  # noqa: SIM110 (any() over a generator takes three times as long)
        if needle in haystack:
            return True
    return False
