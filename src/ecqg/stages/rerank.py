"""Put the first passages of a system's rankings in the cross-encoder's order."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.runs import read_run, write_run
from ecqg.evaluation.test_sets import question_files
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.reranking import model
from ecqg.reranking.score import Collection, rerank


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write a run for each test set of the collection, as system SYSTEM-reranked."""
    folder = paths.collection(collection)
    passages = Passages(folder / "passages.arrow")
    store = Collection(passages, passages.rows_by_id())
    reranker = model.load(paths.RERANKER)
    out = paths.reranked(system)
    with atomic(paths.runs(out, collection)) as runs:
        for test_set, file in question_files(folder).items():
            first = read_run(paths.runs(system, collection) / f"{test_set}.trec", store.rows)
            rankings = rerank(
                reranker, read_questions(file), list(first), store, params.rerank.depth, test_set
            )
            write_run(runs / f"{test_set}.trec", rankings, out)
