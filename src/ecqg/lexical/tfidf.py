"""TF-IDF over hashed n-grams, as DrQA's document retriever (Chen et al. 2017, sec. 3.1).

As in the baseline that the SIGIR paper takes (efficientqa/retrieval-based-baselines), a document is
a passage, its title before its text.

The weight of bucket t is log(1 + tf) * idf(t) in a passage as in a question, with
idf(t) = max(0, log((N - n_t + 0.5) / (n_t + 0.5))) over N passages of which n_t have t. The score
is the dot product, so that idf counts twice. Passages with a score of 0 are not retrieved.

A text is cut by DrQA's SimpleTokenizer into lower-cased tokens. An n-gram counts unless one of its
tokens is a stop word or consists of punctuation (DrQA's `filter_ngram`, mode "any"); its bucket is
the 32-bit murmurhash 3 of its tokens joined by spaces, modulo the number of buckets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import regex
from murmurhash.mrmr import hash_unicode  # type: ignore[import-untyped]
from numpy.typing import NDArray
from scipy import sparse

from ecqg.errors import InputError
from ecqg.evaluation.answers import tokens
from ecqg.lexical.hits import Hits, top
from ecqg.lexical.postings import Postings, count
from ecqg.processes import in_threads, threads

MOST_BITS = 28  # tables of 2 GiB
CELLS = 2**22  # bounds questions x passages of one matrix product; more is not faster
THREADS = 4  # each holds one product's cells, and tables as long as the collection

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


class TfIdf:
    """An inverted index, memory-mapped from files in `folder`.

    About 75 buckets for a passage of 100 words, 24 bytes each, and tables of 8 bytes for each of
    the 2**hash_bits buckets. A call with the same arguments resumes a stopped one; without a folder
    the files last as long as this object. Raises InputError for n-grams of
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
        matrix = self._postings.by_bucket(self._idf)
        self._by_bucket = sparse.csr_array(matrix, shape=(buckets, self._postings.total))

    def search(self, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        """For each question the best `depth` passages with a score above 0, fewer if fewer."""
        block = max(1, CELLS // max(1, self._by_bucket.shape[1]))
        blocks = (questions[start : start + block] for start in range(0, len(questions), block))
        # scipy multiplies without Python's lock.
        workers = min(threads(), THREADS)
        hits = in_threads(lambda block: self._best(block, depth), blocks, workers)
        yield from chain.from_iterable(hits)

    def _best(self, questions: Sequence[str], depth: int) -> list[Hits]:
        products = self._weights(questions) @ self._by_bucket
        # float32, so that the order of summation does not decide between equal passages.
        scores = products.data.astype(np.float32)
        return [
            top(products.indices[begin:end], scores[begin:end], depth)
            for begin, end in pairwise(products.indptr)
        ]

    def _grams(self, text: str) -> NDArray[np.int64]:
        return hashed_ngrams(text, self._ngrams, self._hash_bits)

    def _idf(self, frequency: NDArray[np.uint32]) -> NDArray[np.float64]:
        total = self._postings.total
        return np.maximum(np.log((total - frequency + 0.5) / (frequency + 0.5)), 0.0)

    def _weights(self, questions: Sequence[str]) -> sparse.csr_array:
        """[questions, buckets]."""
        buckets, lengths, frequencies = count(map(self._grams, questions))
        weights = np.log1p(frequencies) * self._idf(self._postings.document_frequency[buckets])
        # int32 as the index, if that is: of two types, scipy would copy the index for each product.
        rows = np.repeat(np.arange(len(questions), dtype=np.int32), lengths)
        shape = (len(questions), self._by_bucket.shape[0])
        return sparse.csr_array((weights, (rows, buckets.astype(np.int32))), shape=shape)


@lru_cache(maxsize=1_000_000)
def _keeps(token: str) -> bool:
    return token not in STOP_WORDS and not PUNCTUATION.fullmatch(token)


def hashed_ngrams(text: str, longest: int, hash_bits: int) -> NDArray[np.int64]:
    """The buckets, 0 to 2**hash_bits - 1, of all n-grams of 1 to `longest` tokens, with repeats."""
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
