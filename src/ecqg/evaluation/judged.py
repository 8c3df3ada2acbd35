"""Precision, recall, MRR, MAP and nDCG of systems on a collection's judged test questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.evaluation.ranking import means, ranking_metrics
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import QuestionSet


def judged_metrics(
    collection: str, systems: Sequence[str], test_sets: Iterable[QuestionSet], ks: Sequence[int]
) -> dict[str, dict[str, dict[str, float]]]:
    """{"SYSTEM": {"TESTSET": {"questions": judged ones, "MRR@10": share, ...}}}, subsets as sets.

    Test sets and subsets without a judged question are left out.
    """
    metrics: dict[str, dict[str, dict[str, float]]] = {system: {} for system in systems}
    for test_set in test_sets:
        file = paths.judgements(collection) / f"{test_set.name}{SUFFIX}"
        if not file.is_file():
            continue
        judgements = read_qrels(file)
        judged = {}
        for name, members in test_set.members.items():
            ids = [question.id for question in compress(test_set.questions, members)]
            judged[name] = [i for i in ids if i in judgements]
        asked = {i: judgements[i] for ids in judged.values() for i in ids}
        if not asked:
            continue
        for system in systems:
            run_file = paths.runs(system, collection) / f"{test_set.name}.trec"
            values = ranking_metrics(asked, read_run(run_file), ks)
            for name, ids in judged.items():
                if ids:
                    metrics[system][name] = {"questions": len(ids), **means(values, ids)}
    return metrics
