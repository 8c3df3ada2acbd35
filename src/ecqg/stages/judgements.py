"""Which passages answer the test questions, where the training folder tells."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.build import PASSAGES, sample
from ecqg.corpus.judgements import SUFFIX, judge, renumbered, write_qrels
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import read_questions
from ecqg.files import atomic
from ecqg.params import Params


def run(params: Params) -> None:
    """Write TESTSET.qrels for each judged test set, by the questions' numbers in the collection."""
    folder = Path(params.corpus.train_set)
    passages = Passages(paths.collection() / PASSAGES)
    most = params.corpus.max_test_questions
    with atomic(paths.judgements()) as out:
        out.mkdir()
        for name, file in params.corpus.test_sets.items():
            found = judge(folder, file, passages)
            if found is not None:
                rows = range(len(read_questions(folder / file)))
                chosen = sample(rows, most, params.seed, f"test-{name}")  # as stage corpus does
                write_qrels(out / f"{name}{SUFFIX}", renumbered(found, chosen))
