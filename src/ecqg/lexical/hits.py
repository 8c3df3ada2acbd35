"""What a search returns, and how a stage makes run files of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.runs import Ranking, rank, run_file, write_run
from ecqg.evaluation.test_sets import question_files
from ecqg.files import atomic
from ecqg.progress import track
from ecqg.shards import map_rest

Hits = tuple[NDArray[np.int64], NDArray[np.float32]]  # passage rows and their scores, best first
Search = Callable[[Sequence[str], int], Iterator[Hits]]  # (questions, depth) -> hits by question


def top(rows: NDArray[np.integer], scores: NDArray[np.float32], depth: int) -> Hits:
    """The best `depth` of passages in any order; of equal scores, the earlier row is better."""
    if len(rows) > depth:
        # Only what reaches the depth-th best score is sorted, ties at the border included.
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        reaches = scores >= last
        rows, scores = rows[reaches], scores[reaches]
    order = np.lexsort((rows, -scores))[:depth]
    return rows[order].astype(np.int64), scores[order]


def write_runs(
    folder: Path,
    search: Search,
    collection: Path,
    passages: Passages,
    depth: int,
    tag: str,
    resume_dir: Path,
) -> None:
    """Search with every test set of a collection; write TESTSET.trec each into a new `folder`.

    The same work resumes from the hits in the folder `resume_dir` (`map_rest`).
    """
    ids = passages.ids()

    def found(texts: Iterator[str]) -> Iterator[list[list[float]]]:
        for rows, scores in search(list(texts), depth):
            yield [rows.tolist(), scores.tolist()]

    with atomic(folder) as aside:
        aside.mkdir()
        for name, path in question_files(collection).items():
            questions = read_questions(path)
            texts = [question.text for question in questions]

            stream = map_rest(resume_dir / name, texts, found)
            hits = track(stream, f"{tag} {name}", total=len(texts), unit="question")
            rankings: Iterator[Ranking] = (
                rank(question.id, np.array(rows, np.int64), np.array(scores, np.float32), ids)
                for question, (rows, scores) in zip(questions, hits, strict=True)
            )
            write_run(run_file(aside, name), rankings, tag)
