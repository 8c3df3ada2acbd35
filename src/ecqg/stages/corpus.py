"""Build the collection, gold examples, reading examples, test sets and their judgements."""

from __future__ import annotations

from dataclasses import astuple, fields

from ecqg import paths
from ecqg.corpus.build import PASSAGES, Targets, build_corpus
from ecqg.corpus.folder import DataFolder
from ecqg.corpus.ingest import passage_file
from ecqg.corpus.passages import Passages
from ecqg.corpus.position import SentenceShare
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_table, write_values


def run(params: Params) -> None:
    """Write the main collection, paths.gold, paths.reading, paths.judgements, and counts.

    Goes on where it was killed.
    """
    folder = DataFolder(params.corpus.train_set, params.corpus.test_sets)
    names = params.corpus.distractors
    distractors = {name: Passages(paths.distractors(name) / PASSAGES) for name in names}
    with (
        resumable("corpus", [passage_file(folder.path)]) as kept,
        atomic(paths.collection()) as collection,
        atomic(paths.gold("train").parent) as gold,
        atomic(paths.reading("train").parent) as reading,
        atomic(paths.judgements()) as judgements,
    ):
        judgements.mkdir()
        targets = Targets(collection, gold, reading, judgements)
        metrics, shares = build_corpus(
            folder, distractors, params.corpus, params.seed, targets, kept
        )
    columns = [field.name for field in fields(SentenceShare)]
    by_sentence = {
        f"sentence_{share.sentence}": dict(zip(columns[1:], astuple(share)[1:], strict=True))
        for share in shares
    }
    write_values(paths.CORPUS_METRICS, metrics | {"position": by_sentence})
    write_table(paths.QUESTION_POSITION, columns, map(astuple, shares))
