"""What a system of the study finds for any question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ecqg import params
from ecqg.corpus.passages import PASSAGES, Passage, Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import QUESTION, score_factor
from ecqg.encoder.vector_file import read_vectors
from ecqg.errors import InputError
from ecqg.evaluation.answers import has_answer
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.tfidf import TfIdf
from ecqg.search.index import Hits, Index


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in a system's ranking."""

    rank: int  # from 1
    score: float
    passage: Passage
    answered: bool  # whether it has one of the answers that were given


Search = Callable[[str, int], Hits]


def dense_search(
    retriever: Path,
    vectors: Path,
    encoder: params.Encoder,
    retrieval: params.Retrieval,
    seed: int,
    passages: int,
) -> Search:
    """Search by a dual encoder whose folder is `retriever`, over `passages` stored vectors.

    Raises InputError where the vectors or the encoder are not there.
    """
    stored = read_vectors(vectors, "dvc repro", passages)
    encoding = Encoding(retriever / QUESTION, encoder)
    index = Index(stored, retrieval.index, seed)
    factor = score_factor(encoder.score_scale, encoding.hidden)

    def search(question: str, depth: int) -> Hits:
        queries = (encoding.questions([question]) * factor).astype(np.float32)
        return next(index.search(queries, depth))

    return search


def bm25_search(collection: Path, settings: params.BM25) -> Search:
    """Search by Lucene's BM25 in a collection's folder."""
    index = BM25(lucene_index(collection / PASSAGES), k1=settings.k1, b=settings.b)
    return partial(_first, index.search)


def tfidf_search(collection: Path, settings: params.TfIdf) -> Search:
    """Search by DrQA's TF-IDF, which is counted anew: seconds for thousands of passages."""
    passages = Passages(collection / PASSAGES)
    texts = (f"{passage.title}\n{passage.text}" for passage in passages)
    index = TfIdf(texts, ngrams=settings.ngrams, hash_bits=settings.hash_bits)
    return partial(_first, index.search)


def _first(search: Callable[[Sequence[str], int], object], question: str, depth: int) -> Hits:
    return next(iter(search([question], depth)))  # type: ignore[call-overload, no-any-return]


def ranking(
    search: Search, passages: Passages, question: str, depth: int, answers: Sequence[str] = ()
) -> list[Found]:
    """The first `depth` passages of a system for a question, those with an answer marked.

    Raises InputError for a question without words.
    """
    if not question.strip():
        raise InputError("the question is empty", remedy="type one")
    rows, scores = search(question, depth)
    found = []
    for rank, (row, score) in enumerate(zip(rows.tolist(), scores.tolist(), strict=True), 1):
        passage = passages[row]
        answered = bool(answers) and has_answer(answers, passage.text)
        found.append(Found(rank, score, passage, answered))
    return found
