"""Retrieve with DrQA's TF-IDF."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.items import Collection
from ecqg.lexical.hits import write_runs
from ecqg.lexical.tfidf import TfIdf
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable


def run(params: Params, collection: Collection = paths.MAIN) -> None:
    """Write a run for each test set of a collection; goes on where it was killed."""
    folder = paths.collection(collection)
    store = folder / "passages.arrow"
    passages, settings = Passages(store), params.tfidf
    bar = track(passages, "count n-grams", total=len(passages), unit="passage")
    texts = (f"{passage.title}\n{passage.text}" for passage in bar)
    out, depth = paths.runs("tfidf", collection), params.retrieval.depth
    with resumable(f"tfidf@{collection}", [folder], settings, depth) as kept:
        index = TfIdf(texts, ngrams=settings.ngrams, hash_bits=settings.hash_bits, folder=kept)
        write_runs(out, index.search, folder, passages, depth, "tfidf", kept / "found")
