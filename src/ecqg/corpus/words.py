"""The words of questions, as overlaps are counted."""

from __future__ import annotations

import re
from functools import cache

from ecqg.corpus.spacy_model import import_spacy

_POSSESSIVE = re.compile(r"['’]s\b")
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The lower-case words of a text in their order, possessive endings cut off.

    >>> words("Who wrote the hero's songs?")
    ['who', 'wrote', 'the', 'hero', 'songs']
    """
    return _WORD.findall(_POSSESSIVE.sub("", text.lower()))


@cache
def stop_words() -> frozenset[str]:
    """The stop words of English by spaCy."""
    import_spacy()
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


def content_words(text: str) -> frozenset[str]:
    """The lower-case words of a text that are no stop words (spaCy's list).

    >>> sorted(content_words("Who wrote the hero's songs?"))
    ['hero', 'songs', 'wrote']
    """
    return frozenset(words(text)) - stop_words()
