"""Other words that askers use for the words of the passages: the lexical gap.

A question template's words that stand here are each replaced by one of their alternatives, the
word itself among them. All are as common in training as in test questions, so that a model can
learn them; word matching cannot.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ecqg.microcosm.marked import read

SYNONYMS = {
    word: others.texts()
    for word, others in read(Path(__file__).with_name("thesaurus.yaml")).mapping().items()
}
_WORDS = re.compile(
    r"(?<![{\w])(" + "|".join(sorted(SYNONYMS, key=len, reverse=True)) + r")(?![\w}])"
)


@cache
def widen(template: str) -> str:
    """The template with a choice of synonyms for each word that has any; slots stay as they are."""
    return _WORDS.sub(lambda m: f"[{'|'.join((m[1], *SYNONYMS[m[1]]))}]", template)


_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIO](?!ne\b|ni[vt]|uro))")


def agree(text: str) -> str:
    """The text with "a" made "an" before a vowel, as a synonym may need."""
    return _ARTICLE.sub(r"\1n ", text)
