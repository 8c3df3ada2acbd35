"""For each question where a system finds an answer, on a collection's test sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.corpus.passages import Passages
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.per_query import RELEVANT_FOLDER, write_per_query, write_relevant
from ecqg.evaluation.runs import Ranking, read_run
from ecqg.evaluation.test_sets import QuestionSet, read_test_sets, tried
from ecqg.evaluation.topk import first_hits
from ecqg.files import atomic, read_json, write_json
from ecqg.items import ALL, Collection, Evaluated
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import in_shards
from ecqg.systems import evaluated


def run(params: Params, system: Evaluated = ALL, collection: Collection = paths.MAIN) -> None:
    """Write ranks per question of all systems, or of a supervised one on its test set.

    Goes on where it was killed.
    """
    test_set = paths.supervised_set(system)
    if test_set is None:
        name = collection
        systems = {each: each for each in evaluated(params.systems, params.rerank.first_stages)}
    else:
        name = f"{paths.SUPERVISED}/{test_set}"
        systems = {system: paths.SUPERVISED}
    evaluate(collection, systems, name)


def evaluate(collection: str, systems: Mapping[str, str], name: str) -> None:
    """Write paths.per_query(name).

    `systems` says how each is called in what is written.
    """
    folder = paths.collection(collection)
    test_sets = list(read_test_sets(folder))
    passages = Passages(folder / "passages.arrow")
    rows = passages.rows_by_id()
    matcher = AnswerMatcher(passages)  # one for all: systems find many passages in common
    qrels = {t.name: paths.judgements(collection) / f"{t.name}{SUFFIX}" for t in test_sets}
    judged = {name: read_qrels(file) for name, file in qrels.items() if file.is_file()}

    def ranks_of(run: tuple[str, QuestionSet]) -> dict[str, Any]:
        """Of the first passages with an answer, by question, and of relevant passages."""
        system, test_set = run
        rankings = read_run(paths.runs(system, collection) / f"{test_set.name}.trec", rows, least=0)
        relevant: list[tuple[str, str, int]] = []
        ranks = first_hits(
            track(test_set.questions, f"evaluate {system} on {test_set.name}", unit="question"),
            _watched(rankings, judged.get(test_set.name, {}), relevant),
            matcher,
            rows,
        )
        return {"ranks": ranks.tolist(), "relevant": relevant}

    runs = [(system, t) for system in systems for t in test_sets if tried(system, t.name)]
    folders = [paths.runs(system, collection) for system in systems]
    inputs = [folder, *(qrels[name] for name in judged)]
    inputs += [found for found in folders if found.is_dir()]
    with (
        resumable(f"evaluate@{name.replace('/', '-')}", inputs) as kept,
        atomic(paths.per_query(name)) as per_query,
    ):
        for (system, test_set), found in zip(runs, in_shards(kept, runs, ranks_of), strict=True):
            ranks, out = np.array(found["ranks"], np.int64), per_query / systems[system]
            for part, members in test_set.members.items():
                chosen = compress(test_set.questions, members)
                write_per_query(out / f"{part}.csv", chosen, ranks[members])
            if test_set.name in judged:
                write_relevant(out / RELEVANT_FOLDER / f"{test_set.name}.csv", found["relevant"])
        for system, shown in systems.items():
            index_recall = paths.runs(system, collection) / paths.INDEX_RECALL
            if index_recall.is_file():
                write_json(per_query / shown / paths.INDEX_RECALL, read_json(index_recall))


def _watched(
    rankings: Iterable[Ranking],
    judgements: Mapping[str, Mapping[str, int]],
    out: list[tuple[str, str, int]],
) -> Iterator[Ranking]:
    """The same rankings; notes question, passage and rank of the relevant passages in `out`."""
    for ranking in rankings:
        relevance = judgements.get(ranking.question_id, {})
        for rank, passage in enumerate(ranking.passage_ids, 1):
            if relevance.get(passage, 0) > 0:
                out.append((ranking.question_id, passage, rank))
        yield ranking
