"""Find the first passage with an answer for each question of a collection's test sets."""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.corpus.questions import IDS, read_ids
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import read_run, without
from ecqg.evaluation.test_sets import TestSet, read_test_sets
from ecqg.evaluation.topk import RELEVANT_FOLDER, first_hits, write_per_query, write_relevant
from ecqg.files import atomic, read_json, write_json
from ecqg.items import Collection, System
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import map_blocks


def run(params: Params, system: System, collection: Collection = paths.MAIN) -> None:
    """Write paths.per_query(system, collection); resumes where it was killed."""
    folder, subsets = paths.collection(collection), paths.subsets(collection)
    test_sets = list(read_test_sets(folder, subsets))
    passages = Passages(folder / PASSAGES)
    rows = passages.rows_by_id()
    matcher = AnswerMatcher(passages)
    files = {t.name: paths.qrels(collection) / f"{t.name}{SUFFIX}" for t in test_sets}
    qrels = {name: read_qrels(file) for name, file in files.items() if file.is_file()}
    ids = {
        t.name: read_ids(file, len(t.questions))
        for t in test_sets
        if (file := folder / "questions" / f"{t.name}{IDS}").is_file()
    }
    runs = paths.runs(system, collection)

    def ranks_of(test_set: TestSet) -> dict[str, Any]:
        """Of the first passages with an answer, by question, and of relevant passages."""
        rankings = list(read_run(runs / f"{test_set.name}.trec", rows, least=0))
        relevance = qrels.get(test_set.name, {})
        for place, ranking in enumerate(rankings if test_set.name in ids else ()):
            own = ids[test_set.name][int(ranking.question_id)]
            if relevance.get(ranking.question_id, {}).get(own, 0) <= 0:
                # As BEIR: where questions are passages, too, none is an answer to itself.
                rankings[place] = without(ranking, own)
        relevant = [
            (ranking.question_id, passage, rank)
            for ranking in rankings
            for rank, passage in enumerate(ranking.passage_ids, 1)
            if relevance.get(ranking.question_id, {}).get(passage, 0) > 0
        ]
        what = f"evaluate {system} on {test_set.name}"
        bar = track(test_set.questions, what, unit="question")
        return {
            "ranks": first_hits(bar, rankings, matcher, rows, relevance).tolist(),
            "relevant": relevant,
        }

    inputs = [folder, subsets, *(files[name] for name in qrels), runs]
    with (
        resumable(__name__, f"evaluate-{system}@{collection}", inputs) as resume_dir,
        atomic(paths.per_query(system, collection)) as out,
    ):
        out.mkdir()
        of_test_sets = map_blocks(resume_dir, test_sets, ranks_of)
        for test_set, found in zip(test_sets, of_test_sets, strict=True):
            ranks = np.array(found["ranks"], np.int64)
            for part, members in test_set.members.items():
                chosen = compress(test_set.questions, members)
                write_per_query(out / f"{part}.csv", chosen, ranks[members])
            if test_set.name in qrels:
                write_relevant(out / RELEVANT_FOLDER / f"{test_set.name}.csv", found["relevant"])
        index_recall = runs / paths.INDEX_RECALL
        if index_recall.is_file():
            write_json(out / paths.INDEX_RECALL, read_json(index_recall))
