"""TF-IDF over hashed n-grams, as DrQA's document retriever (Chen et al. 2017, sec. 3.1).

As in the baseline that the SIGIR paper takes (efficientqa/retrieval-based-baselines), a document is
a passage, its title before its text.

The weight of bucket t is log(1 + tf) * idf(t) in a passage as in a question, with
idf(t) = max(0, log((N - n_t + 0.5) / (n_t + 0.5))) over N passages of which n_t hold t. The score
is the dot product, so that idf counts twice. Passages with a score of 0 are not retrieved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ecqg.errors import InputError
from ecqg.lexical.hits import Hits, top
from ecqg.lexical.ngrams import hashed_ngrams

BLOCK = 65_536  # passages whose counts are put together at a time
CELLS = 2**24  # bounds questions x passages of one matrix product


class TfIdf:
    """An inverted index in memory: about 75 buckets for a passage of 100 words, 12 bytes each.

    Raises InputError for n-grams of less than one token and hashes of other than 1 to 32 bits.
    """

    def __init__(self, texts: Iterable[str], *, ngrams: int, hash_bits: int) -> None:
        if not (1 <= hash_bits <= 32 and ngrams >= 1):
            remedy = "tfidf.hash_bits must be 1 to 32, tfidf.ngrams 1 or more"
            raise InputError(f"{ngrams}-grams hashed to {hash_bits} bits", remedy=remedy)
        self._ngrams, self._hash_bits = ngrams, hash_bits
        buckets, lengths, counts = _count(hashed_ngrams(t, ngrams, hash_bits) for t in texts)
        total = len(lengths)
        # Columns only for buckets in use: 2**24 rows, most of them empty, would cost more.
        self._buckets, columns = np.unique(buckets, return_inverse=True)
        held_by = np.bincount(columns, minlength=len(self._buckets))
        self._idf = np.maximum(np.log((total - held_by + 0.5) / (held_by + 0.5)), 0.0)
        weights = np.log1p(counts) * self._idf[columns]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        by_passage = sparse.csr_array((weights, columns, starts), shape=(total, len(self._buckets)))
        by_passage.eliminate_zeros()  # a bucket without weight must not make a passage a result
        self._by_bucket = by_passage.T.tocsr()

    def search(self, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        """For each question the best `depth` passages with a score above 0, fewer if fewer."""
        block = max(1, CELLS // max(1, self._by_bucket.shape[1]))
        for start in range(0, len(questions), block):
            weights = self._weights(questions[start : start + block])
            found = weights @ self._by_bucket
            # float32, so that the order of summation does not decide between equal passages.
            scores = found.data.astype(np.float32)
            for begin, end in zip(found.indptr[:-1], found.indptr[1:], strict=True):
                yield top(found.indices[begin:end], scores[begin:end], depth)

    def _weights(self, questions: Sequence[str]) -> sparse.csr_array:
        """[questions, buckets in use]; a bucket that no passage holds adds nothing."""
        buckets, lengths, counts = _count(
            hashed_ngrams(q, self._ngrams, self._hash_bits) for q in questions
        )
        columns = np.searchsorted(self._buckets, buckets)
        known = columns < len(self._buckets)
        known[known] = self._buckets[columns[known]] == buckets[known]
        rows = np.repeat(np.arange(len(questions)), lengths)[known]
        columns = columns[known]
        weights = np.log1p(counts[known]) * self._idf[columns]
        shape = (len(questions), len(self._buckets))
        return sparse.csr_array((weights, (rows, columns)), shape=shape)


def _count(
    texts: Iterable[NDArray[np.int64]],
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint32]]:
    """All texts' distinct buckets, text after text; how many each text has; their frequencies."""
    blocks: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]] = []
    buckets: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    counts: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    lengths: list[int] = []
    for text in texts:
        distinct, frequency = np.unique(text, return_counts=True)
        buckets.append(distinct.astype(np.uint32))
        counts.append(frequency.astype(np.uint32))
        lengths.append(len(distinct))
        if len(buckets) > BLOCK:  # millions of small arrays would cost more than what they hold
            blocks.append((np.concatenate(buckets), np.concatenate(counts)))
            buckets, counts = [], []
    blocks.append((np.concatenate(buckets), np.concatenate(counts)))
    all_buckets, all_counts = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return all_buckets, np.array(lengths, np.int64), all_counts
