"""Search a collection's passage vectors for its test questions."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import read_questions
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import QUESTION, score_factor
from ecqg.errors import InputError
from ecqg.evaluation.runs import rank, write_run
from ecqg.evaluation.test_sets import question_files, tried
from ecqg.files import atomic, write_json
from ecqg.params import Params
from ecqg.search.index import FLAT, Index
from ecqg.search.recall import recall, sample


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write a run for each test set, and an approximate index's recall against exact search."""
    folder = paths.collection(collection)
    ids = Passages(folder / "passages.arrow").ids()
    vectors = np.load(paths.embeddings(system, collection), mmap_mode="r")
    if len(vectors) != len(ids):
        raise InputError(
            f"{len(vectors)} vectors for {len(ids)} passages",
            file=paths.embeddings(system, collection),
            remedy=f"make it again with 'ecqg encode {system} {collection}'",
        )
    encoder = Encoding(paths.retriever(system) / QUESTION, params.encoder)
    factor = score_factor(params.encoder.score_scale, encoder.hidden)
    index = Index(vectors, params.retrieval.index, params.seed)
    recalls: dict[str, dict[str, float]] = {}
    with atomic(paths.runs(system, collection)) as runs:
        # Test sets are encoded one by one, so that adding one leaves the runs of others alone.
        for test_set, file in question_files(folder).items():
            if not tried(system, test_set):
                continue
            questions = read_questions(file)
            queries = encoder.questions([question.text for question in questions]) * factor
            queries = queries.astype(np.float32)
            found = index.search(queries, params.retrieval.depth)
            rankings = (
                rank(question.id, rows, scores, ids)
                for question, (rows, scores) in zip(questions, found, strict=True)
            )
            write_run(runs / f"{test_set}.trec", rankings, system)
            if not index.exact:
                exact = Index(vectors, FLAT, params.seed)
                asked = sample(queries, params.seed, test_set)
                recalls[test_set] = recall(index, exact, asked, params.retrieval.depth)
        if recalls:
            write_json(runs / paths.INDEX_RECALL, recalls)
