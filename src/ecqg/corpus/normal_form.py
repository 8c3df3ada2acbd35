"""The normal form of answers; apart from words, whose stop words are spaCy's."""

from __future__ import annotations

import re
import string

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_answer(answer: str) -> str:
    """SQuAD's form for comparison: lower case, no ASCII punctuation, no articles, single spaces.

    >>> normalize_answer("The  U.S. Open ")
    'us open'
    """
    bare = answer.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())
