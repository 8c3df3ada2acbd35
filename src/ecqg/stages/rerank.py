"""Put the first passages of a system's rankings in the cross-encoder's order."""

from __future__ import annotations

from collections import deque

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.runs import read_run, run_file, write_run
from ecqg.evaluation.test_sets import question_files
from ecqg.files import atomic
from ecqg.items import Collection, System
from ecqg.params import Params
from ecqg.reranking import model
from ecqg.reranking.score import rerank
from ecqg.resume import resumable
from ecqg.systems import reranked


def run(params: Params, system: System, collection: Collection = paths.MAIN) -> None:
    """Write a run for each test set of the collection, as system SYSTEM_reranked."""
    folder = paths.collection(collection)
    passages = Passages(folder / PASSAGES)
    rows = passages.rows_by_id()
    reranker = model.load(paths.RERANKER)
    out, ranked = reranked(system), paths.runs(system, collection)
    depth, work = params.rerank.depth, f"rerank-{collection}-{system}"
    files = question_files(folder)
    for name in files:  # all of them first: to re-rank one may take hours
        deque(read_run(run_file(ranked, name), rows, least=0), maxlen=0)
    with (
        resumable(__name__, work, [paths.RERANKER, folder, ranked], depth) as resume_dir,
        atomic(paths.runs(out, collection)) as runs,
    ):
        runs.mkdir()
        for name, file in files.items():
            questions = read_questions(file)
            found = read_run(run_file(ranked, name), rows, least=0)
            rankings = rerank(
                reranker, questions, found, passages, rows, depth, name, resume_dir / name
            )
            write_run(run_file(runs, name), rankings, out)
