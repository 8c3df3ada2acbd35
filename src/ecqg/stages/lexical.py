"""Retrieve by matching terms: DrQA's TF-IDF, or Lucene's BM25."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.items import Collection, Lexical
from ecqg.lexical.hits import write_runs
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable


def run(params: Params, system: Lexical, collection: Collection = paths.MAIN) -> None:
    """Write a run for each test set of a collection; resumes where it was killed."""
    folder = paths.collection(collection)
    passages, depth = Passages(folder / PASSAGES), params.retrieval.depth
    settings = params.bm25 if system == "bm25" else params.tfidf
    with resumable(__name__, f"{system}@{collection}", [folder], settings, depth) as resume_dir:
        if system == "bm25":
            from ecqg.lexical.bm25 import BM25, lucene_index

            index = lucene_index(folder / PASSAGES)
            search = BM25(index, k1=params.bm25.k1, b=params.bm25.b).search
        else:
            from ecqg.lexical.tfidf import TfIdf

            bar = track(passages, "count n-grams", total=len(passages), unit="passage")
            texts = (f"{passage.title}\n{passage.text}" for passage in bar)
            sizes = {"ngrams": params.tfidf.ngrams, "hash_bits": params.tfidf.hash_bits}
            search = TfIdf(texts, **sizes, folder=resume_dir).search
        out = paths.runs(system, collection)
        write_runs(out, search, folder, passages, depth, system, resume_dir / "runs")
