"""Search a collection's passage vectors for its test questions."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.questions import read_questions
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import QUESTION, score_factor
from ecqg.encoder.vector_file import read_vectors
from ecqg.evaluation.runs import rank, run_file, write_run
from ecqg.evaluation.test_sets import question_files
from ecqg.files import atomic, atomic_stamped, find_stamped, read_json, write_json
from ecqg.items import Collection, Dense
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.search.building import sample
from ecqg.search.gpu import nearest
from ecqg.search.index import FLAT, SAMPLE, Index, recall
from ecqg.training.device import pick_device

REMEDY = "delete it to search these questions anew"


def run(params: Params, system: Dense, collection: Collection = paths.MAIN) -> None:
    """Write a run for each test set, and an approximate index's recall against exact search.

    Resumes where it was killed: with the index as it was last written, after the questions whose
    passages are in the folder of `resumable`.
    """
    folder = paths.collection(collection)
    ids = Passages(folder / PASSAGES).ids()
    stored = paths.embeddings(system, collection)
    vectors = read_vectors(stored, f"ecqg encode {system} {collection}", len(ids))
    encoder = Encoding(paths.retriever(system) / QUESTION, params.encoder)
    factor = score_factor(params.encoder.score_scale, encoder.hidden)
    device = pick_device()
    work = f"retrieve-{system}@{collection}"
    inputs = [stored, folder, paths.retriever(system) / QUESTION]
    settings = (params.encoder, params.retrieval.index, params.retrieval.depth, params.seed)
    with resumable(__name__, work, inputs, *settings) as resume_dir:
        near = partial(nearest, device=device) if device.type != "cpu" else None
        index = Index(vectors, params.retrieval.index, params.seed, resume_dir, near)
        # Test sets are encoded one by one, so that adding one leaves the runs of others alone.
        for test_set, file in question_files(folder).items():
            done_run, recall_file = _resumed(resume_dir, test_set)
            if find_stamped(done_run, REMEDY):
                continue
            questions = read_questions(file)
            texts = [question.text for question in questions]
            encoded = encoder.questions(texts, resume_dir / "questions" / test_set)
            queries = (encoded * factor).astype(np.float32)
            if not index.exact and not find_stamped(recall_file, REMEDY):
                exact = Index(vectors, FLAT, params.seed, near=near)
                sampled = sample(queries, SAMPLE, params.seed, "recall", test_set)
                with atomic_stamped(recall_file) as aside:
                    write_json(aside, recall(index, exact, sampled, params.retrieval.depth))
            hits = index.search(queries, params.retrieval.depth, resume_dir / "found" / test_set)
            rankings = (
                rank(question.id, rows, scores, ids)
                for question, (rows, scores) in zip(questions, hits, strict=True)
            )
            with atomic_stamped(done_run) as aside:  # last: it says that the test set is done
                write_run(aside, rankings, system)
        with atomic(paths.runs(system, collection)) as runs:
            runs.mkdir()
            recalls = {}
            for test_set in question_files(folder):
                done_run, recall_file = _resumed(resume_dir, test_set)
                shutil.copyfile(_whole(done_run), run_file(runs, test_set))
                if not index.exact:
                    recalls[test_set] = read_json(_whole(recall_file))
            if recalls:
                write_json(runs / paths.INDEX_RECALL, recalls)


def _resumed(resume_dir: Path, test_set: str) -> tuple[Path, Path]:
    """Where a test set's run and its index's recall are until all test sets are searched."""
    folder = resume_dir / "runs" / test_set
    return folder / "run.trec", folder / "recall.json"


def _whole(file: Path) -> Path:
    found = find_stamped(file, REMEDY)
    assert found is not None, f"{file} has been written"
    return found
