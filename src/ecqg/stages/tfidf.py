"""Stage `tfidf`: retrieve with DrQA's TF-IDF."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.lexical.hits import write_runs
from ecqg.lexical.tfidf import TfIdf
from ecqg.params import Params
from ecqg.progress import track


def run(params: Params, collection: str = paths.MAIN) -> None:
    """Write a run for each test set of a collection."""
    folder = paths.collection(collection)
    passages = Passages(folder / "passages.arrow")
    index = TfIdf(
        (
            f"{passage.title}\n{passage.text}"
            for passage in track(passages, "count n-grams", total=len(passages), unit="passage")
        ),
        ngrams=params.tfidf.ngrams,
        hash_bits=params.tfidf.hash_bits,
        scratch=paths.TFIDF,
    )
    out, depth = paths.runs("tfidf", collection), params.retrieval.depth
    write_runs(out, index.search, folder, passages, depth, "tfidf")
