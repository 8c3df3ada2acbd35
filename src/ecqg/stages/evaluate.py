"""Find the first passage with an answer for each question of a collection's test sets."""

from __future__ import annotations

from collections import deque
from itertools import compress

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import PASSAGES
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.corpus.questions import IDS, read_ids
from ecqg.evaluation.matching import Asked, Match
from ecqg.evaluation.runs import parts, read_run, run_file
from ecqg.evaluation.test_sets import TestSet, read_test_sets
from ecqg.evaluation.topk import RELEVANT_FOLDER, write_per_query, write_relevant
from ecqg.files import atomic, read_json, write_json
from ecqg.items import Collection, System
from ecqg.parallel.pool import FIRST
from ecqg.parallel.pool import run as run_task
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import map_rest


def run(params: Params, system: System, collection: Collection = paths.MAIN) -> None:
    """Write paths.per_query(system, collection); resumes where it was killed."""
    folder, subsets = paths.collection(collection), paths.subsets(collection)
    qrels, runs = paths.qrels(collection), paths.runs(system, collection)
    test_sets = {test_set.name: test_set for test_set in read_test_sets(folder, subsets)}
    judged = {n: file for n in test_sets if (file := qrels / f"{n}{SUFFIX}").is_file()}

    def asked(test_set: TestSet) -> Asked:
        file = folder / "questions" / f"{test_set.name}{IDS}"
        ids = read_ids(file, len(test_set.questions)) if file.is_file() else []
        return Asked(
            {question.id: question for question in test_set.questions},
            read_qrels(judged[test_set.name]) if test_set.name in judged else {},
            {str(number): name for number, name in enumerate(ids)},
        )

    task = Match(folder / PASSAGES, runs, {n: asked(t) for n, t in test_sets.items()})
    inputs = [folder, subsets, *judged.values(), runs]
    with (
        resumable(__name__, f"evaluate-{system}@{collection}", inputs) as resume_dir,
        atomic(paths.per_query(system, collection)) as out,
    ):
        out.mkdir()
        blocks = [(n, part) for n in test_sets for part in parts(run_file(runs, n))]
        found = track(
            map_rest(resume_dir, blocks, lambda rest: run_task(task, rest, first=FIRST)),
            f"evaluate {system}",
            total=sum(len(test_set.questions) for test_set in test_sets.values()),
            unit="question",
            size=len,
        )
        ranks: dict[str, dict[str, int]] = {n: {} for n in test_sets}
        relevant: dict[str, list[tuple[str, str, int]]] = {n: [] for n in test_sets}
        for (name, _), rankings in zip(blocks, found, strict=True):
            for question, rank, passages in rankings:
                if question in ranks[name]:  # in two parts: to read the whole run tells the line
                    deque(read_run(run_file(runs, name), least=0), maxlen=0)
                ranks[name][question] = rank
                relevant[name] += [(question, passage, place) for passage, place in passages]
        for name, test_set in test_sets.items():
            of_questions = np.array([ranks[name].get(q.id, 0) for q in test_set.questions])
            for part, members in test_set.members.items():
                chosen = compress(test_set.questions, members)
                write_per_query(out / f"{part}.csv", chosen, of_questions[members])
            if name in judged:
                write_relevant(out / RELEVANT_FOLDER / f"{name}.csv", relevant[name])
        index_recall = runs / paths.INDEX_RECALL
        if index_recall.is_file():
            write_json(out / paths.INDEX_RECALL, read_json(index_recall))
