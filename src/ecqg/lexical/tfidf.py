"""TF-IDF over hashed n-grams, as DrQA's document retriever (Chen et al. 2017, sec. 3.1).

As in the baseline that the SIGIR paper takes (efficientqa/retrieval-based-baselines), a document is
a passage, its title before its text.

The weight of bucket t is log(1 + tf) * idf(t) in a passage as in a question, with
idf(t) = max(0, log((N - n_t + 0.5) / (n_t + 0.5))) over N passages of which n_t hold t. The score
is the dot product, so that idf counts twice. Passages with a score of 0 are not retrieved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ecqg.errors import InputError
from ecqg.lexical.hits import Hits, top
from ecqg.lexical.ngrams import hashed_ngrams
from ecqg.lexical.postings import Postings, count
from ecqg.processes import in_threads, processors

MOST_BITS = 28  # tables of 2 GiB
CELLS = 2**22  # bounds questions x passages of one matrix product; more is not faster
THREADS = 4  # each holds one product's cells, and tables as long as the collection


class TfIdf:
    """An inverted index, memory-mapped from files in `folder`.

    About 75 buckets for a passage of 100 words, 24 bytes each, and tables of 8 bytes for each of
    the 2**hash_bits buckets. What a stopped call with the same arguments had done there is not done
    again; without a folder the files last as long as this object. Raises InputError for n-grams of
    less than one token and hashes of other than 1 to MOST_BITS bits.
    """

    def __init__(
        self, texts: Iterable[str], *, ngrams: int, hash_bits: int, folder: Path | None = None
    ) -> None:
        if not (1 <= hash_bits <= MOST_BITS and ngrams >= 1):
            remedy = f"tfidf.hash_bits must be 1 to {MOST_BITS}, tfidf.ngrams 1 or more"
            raise InputError(f"{ngrams}-grams hashed to {hash_bits} bits", remedy=remedy)
        self._ngrams, self._hash_bits = ngrams, hash_bits
        if folder is None:
            self._temporary = TemporaryDirectory()
            folder = Path(self._temporary.name)
        buckets = 2**hash_bits
        self._postings = Postings(folder, texts, self._grams, buckets)
        # A bucket without weight is empty, so that it does not make a passage a result.
        found = self._postings.by_bucket(self._idf)
        self._by_bucket = sparse.csr_array(found, shape=(buckets, self._postings.total))

    def search(self, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        """For each question the best `depth` passages with a score above 0, fewer if fewer."""
        block = max(1, CELLS // max(1, self._by_bucket.shape[1]))
        blocks = (questions[start : start + block] for start in range(0, len(questions), block))
        # scipy multiplies without Python's lock.
        found = in_threads(
            lambda block: self._best(block, depth), blocks, min(processors(), THREADS)
        )
        yield from chain.from_iterable(found)

    def _best(self, questions: Sequence[str], depth: int) -> list[Hits]:
        found = self._weights(questions) @ self._by_bucket
        # float32, so that the order of summation does not decide between equal passages.
        scores = found.data.astype(np.float32)
        return [
            top(found.indices[begin:end], scores[begin:end], depth)
            for begin, end in pairwise(found.indptr)
        ]

    def _grams(self, text: str) -> NDArray[np.int64]:
        return hashed_ngrams(text, self._ngrams, self._hash_bits)

    def _idf(self, held_by: NDArray[np.uint32]) -> NDArray[np.float64]:
        total = self._postings.total
        return np.maximum(np.log((total - held_by + 0.5) / (held_by + 0.5)), 0.0)

    def _weights(self, questions: Sequence[str]) -> sparse.csr_array:
        """[questions, buckets]."""
        buckets, lengths, frequencies = count(map(self._grams, questions))
        weights = np.log1p(frequencies) * self._idf(self._postings.held_by[buckets])
        # int32 as the index, if that is: of two types, scipy would copy the index for each product.
        rows = np.repeat(np.arange(len(questions), dtype=np.int32), lengths)
        shape = (len(questions), self._by_bucket.shape[0])
        return sparse.csr_array((weights, (rows, buckets.astype(np.int32))), shape=shape)
