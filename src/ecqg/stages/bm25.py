"""Retrieve with Lucene's BM25."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.items import Collection
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.hits import write_runs
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, collection: Collection = paths.MAIN) -> None:
    """Write a run for each test set of a collection; goes on where it was killed."""
    folder = paths.collection(collection)
    store = folder / "passages.arrow"
    searcher = BM25(lucene_index(store), k1=params.bm25.k1, b=params.bm25.b)
    out, depth = paths.runs("bm25", collection), params.retrieval.depth
    with resumable(f"bm25@{collection}", [folder], params.bm25, depth) as kept:
        write_runs(out, searcher.search, folder, Passages(store), depth, "bm25", kept)
