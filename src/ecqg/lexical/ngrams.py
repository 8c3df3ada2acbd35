"""Hashed n-grams as DrQA makes them (Chen et al. 2017, drqa/retriever).

A text is cut by DrQA's SimpleTokenizer into lower-cased tokens. An n-gram counts unless one of its
tokens is a stop word or consists of punctuation (DrQA's `filter_ngram`, mode "any"); its bucket is
the 32-bit murmurhash 3 of its tokens joined by spaces, modulo the number of buckets.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import regex
from murmurhash.mrmr import hash_unicode  # type: ignore[import-untyped]
from numpy.typing import NDArray

from ecqg.evaluation.answers import tokens

# DrQA's list, which is NLTK's of 2016. Its contracted forms ("n't", "'s") are left out: this
# tokenizer parts them, so that they never occur.
STOP_WORDS = frozenset(
    """
    a about above after again against ain all am an and any are aren as at be because been before
    being below between both but by can couldn d did didn do does doesn doing don down during each
    few for from further had hadn has hasn have haven having he her here hers herself him himself
    his how i if in into is isn it its itself just ll m ma me mightn more most mustn my myself
    needn no nor not now o of off on once only or other our ours ourselves out over own re s same
    shan she should shouldn so some such t than that the their theirs them themselves then there
    these they this those through to too under until up ve very was wasn we were weren what when
    where which while who whom why will with won wouldn y you your yours yourself yourselves
    """.split()  # noqa: SIM905 (a list would take 180 lines)
)
PUNCTUATION = regex.compile(r"\p{P}+")


@lru_cache(maxsize=1_000_000)
def _keeps(token: str) -> bool:
    return token not in STOP_WORDS and not PUNCTUATION.fullmatch(token)


def hashed_ngrams(text: str, longest: int, hash_bits: int) -> NDArray[np.int64]:
    """The buckets, 0 to 2**hash_bits - 1, of all n-grams of 1 to `longest` tokens, repeats kept."""
    words = tokens(text)
    mask = 2**hash_bits - 1
    buckets = []
    for start, word in enumerate(words):
        gram = word
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            if not _keeps(words[end - 1]):
                break  # every longer n-gram from here holds this token, too
            if end > start + 1:
                gram = f"{gram} {words[end - 1]}"
            buckets.append(hash_unicode(gram) & mask)  # the hash is signed, its bits are the same
    return np.array(buckets, np.int64)
