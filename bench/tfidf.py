"""TF-IDF retrieval against DrQA's way: one question after the other, or a thread pool of them.

    python bench/tfidf.py [--passages 100000] [--questions 2000] [--rounds 5] [--data FOLDER]

Both sides cut questions into the same hashed bigrams and search the same index for `--depth`
passages: ours where it lies on disk, some questions a product; the peer holds it in memory,
multiplies the row of one question with it and sorts what argpartition leaves, as DrQA's
`TfidfDocRanker.closest_docs` does, and `batch_closest_docs` with as many threads as there are
cores. What they find must agree. The floor is to read the postings of every bucket of every
question once, 12 bytes each, as fast as the machine reads memory.

Where the data have fewer passages than are asked for, each is put together from parts of two.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ecqg.lexical.hits import Hits
from ecqg.lexical.tfidf import TfIdf, hashed_ngrams
from ecqg.seeds import python_rng
from side_by_side import alternate, counted, table
from texts import Texts, add_data_option, open_texts

NGRAMS, HASH_BITS = 2, 24
POSTING = 12  # bytes: a weight and a row
READ = 2**26  # float64 numbers that are read to measure how fast memory is


def main() -> None:
    """Print how long the index takes, and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--passages", type=int, help="by default as many as the data have")
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with open_texts(options.data) as texts, tempfile.TemporaryDirectory() as scratch:
        passages = collection(texts, options.passages)
        print(f"{texts.name}: {len(passages):,} passages\n")
        index = build(passages, Path(scratch))
        questions = [question.text for question in texts.questions()[: options.questions]]
        print(speed(index, questions, options.depth, options.rounds))


def collection(texts: Texts, size: int | None) -> list[str]:
    """Titles and texts of `size` passages."""
    found = [f"{passage.title}\n{passage.text}" for passage in texts.passages()]
    if size is None or size <= len(found):
        return found[:size]
    words = [text.split(" ") for text in found]
    rng = python_rng(1, "bench")

    def mixed() -> Iterator[str]:
        while True:
            first, second = rng.choice(words), rng.choice(words)
            yield " ".join(first[: len(first) // 2] + second[len(second) // 2 :])

    return list(islice(mixed(), size))


def build(passages: list[str], folder: Path) -> TfIdf:
    """The index; prints what it takes to make and to open again."""
    seconds = []
    for _ in range(2):
        since = time.perf_counter()
        index = TfIdf(passages, ngrams=NGRAMS, hash_bits=HASH_BITS, folder=folder)
        seconds.append(time.perf_counter() - since)
    rate = len(passages) / seconds[0]
    print(f"index: {rate:,.0f} texts/s ({seconds[0]:.1f} s), opened again in {seconds[1]:.1f} s\n")
    return index


def speed(index: TfIdf, questions: list[str], depth: int, rounds: int) -> str:
    """Markdown; ends the program where hits differ."""
    peer = Peer.of(index)

    def ours() -> list[Hits]:
        return list(index.search(questions, depth))

    def loop() -> list[Hits]:
        return [peer.closest(question, depth) for question in questions]

    def pool() -> list[Hits]:
        with ThreadPool(os.cpu_count()) as threads:
            return threads.map(lambda question: peer.closest(question, depth), questions)

    for question, found, expected in zip(questions, ours(), loop(), strict=True):
        if not agree(found, expected):
            sys.exit(f"hits differ: {question!r}")
    postings = sum(peer.postings(question) for question in questions)
    numbers = np.ones(READ)
    units = len(questions)
    rates = alternate(
        {
            "ours": counted(ours, units),
            "DrQA's way": counted(loop, units),
            "DrQA's way, threads": counted(pool, units),
            "memory": counted(lambda: numbers @ numbers, numbers.nbytes),
        },
        rounds,
    )
    bytes_a_second = float(np.median(rates.pop("memory")))
    floor = f"postings read once, {bytes_a_second / 1e9:.1f} GB/s"
    rate = units * bytes_a_second / (postings * POSTING)
    heading = f"{units:,} questions, {postings / units:,.0f} postings each; all hits agree\n\n"
    return heading + table(rates, "questions/s", floor=(floor, rate))


def agree(ours: Hits, theirs: Hits) -> bool:
    """Whether scores are the same, and rows but for those of equal scores."""
    (rows, scores), (other_rows, other_scores) = ours, theirs
    if not np.array_equal(scores, other_scores):
        return False
    sure = scores > scores[-1:]
    return set(rows[sure].tolist()) == set(other_rows[sure].tolist())


@dataclass(frozen=True)
class Peer:
    """DrQA's ranker: the index in memory, and the idf of each of its buckets."""

    by_bucket: sparse.csr_matrix
    idf: NDArray[np.float64]

    @classmethod
    def of(cls, index: TfIdf) -> Peer:
        """With our index, whose weights are DrQA's."""
        matrix = sparse.csr_matrix(index._by_bucket, copy=True)
        frequency, total = index._postings.document_frequency, matrix.shape[1]
        return cls(matrix, np.maximum(np.log((total - frequency + 0.5) / (frequency + 0.5)), 0.0))

    def closest(self, question: str, depth: int) -> Hits:
        """Rows and scores, best first."""
        buckets, frequencies = np.unique(grams(question), return_counts=True)
        weights = np.log1p(frequencies) * self.idf[buckets]
        shape = (1, self.by_bucket.shape[0])
        vector = sparse.csr_matrix((weights, buckets, [0, len(buckets)]), shape=shape)
        found = vector @ self.by_bucket
        if len(found.data) > depth:
            best = np.argpartition(-found.data, depth)[:depth]
            order = best[np.argsort(-found.data[best])]
        else:
            order = np.argsort(-found.data)
        return found.indices[order].astype(np.int64), found.data[order].astype(np.float32)

    def postings(self, question: str) -> int:
        """How many the question's buckets have."""
        buckets = np.unique(grams(question))
        return int((self.by_bucket.indptr[buckets + 1] - self.by_bucket.indptr[buckets]).sum())


def grams(question: str) -> NDArray[np.int64]:
    """The question's buckets, repeats kept."""
    return hashed_ngrams(question, NGRAMS, HASH_BITS)


if __name__ == "__main__":
    main()
