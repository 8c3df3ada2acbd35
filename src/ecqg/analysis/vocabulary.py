"""How much of their vocabulary two collections share (AugDPR sec. 4).

Published: 17 % between Wikipedia and PubMed, 3M random passages each. The measure is that of
Gururangan et al. 2020 ("Don't Stop Pretraining", sec. 3): the 10,000 most frequent words of either
collection that are no stop words, and the percentage of the one list that stands in the other.

Words are those of the texts without titles, in lower case (`ecqg.corpus.words`), counted at each
occurrence; of equally frequent words the alphabetically first comes first. A collection with fewer
different words shortens both lists, so that they stay equally long and the overlap symmetric. The
longer the lists against the vocabularies, the more names and numbers that occur once are in them,
so the overlap is also given for shorter lists.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence

from ecqg.corpus.words import stop_words

SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)  # of lists, up to the size asked for
Counts = Counter[str]  # how often each word occurs


def most_frequent(counts: Counts, size: int) -> list[str]:
    """The `size` most frequent of the counted words that are no stop words, most frequent first."""
    known = (word for word in counts if word not in stop_words())
    return heapq.nsmallest(size, known, key=lambda word: (-counts[word], word))


def overlap_by_size(a: Sequence[str], b: Sequence[str]) -> dict[int, float]:
    """The percentage of the first words of `a` that are among as many first ones of `b`.

    For each of SIZES that both lists reach, and for the longest length; empty where either is.
    """
    longest = min(len(a), len(b))
    sizes = [*(size for size in SIZES if size < longest), longest] if longest else []
    return {size: 100 * len({*a[:size]} & {*b[:size]}) / size for size in sizes}
