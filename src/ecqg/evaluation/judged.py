"""Precision, recall, MRR, MAP and nDCG of systems on a collection's judged test questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.evaluation.ranking import means, ranking_metrics
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import QuestionSet, tried


def judged_metrics(
    collection: str,
    systems: Mapping[str, str],
    test_sets: Iterable[QuestionSet],
    ks: Sequence[int],
) -> dict[str, dict[str, dict[str, float]]]:
    """{"SYSTEM": {"TESTSET": {"questions": judged ones, "MRR@10": share, ...}}}, subsets as sets.

    `systems` says how each is called in the result. Test sets and subsets without a judged
    question are left out, and so are those that a system was not tried on.
    """
    metrics: dict[str, dict[str, dict[str, float]]] = {shown: {} for shown in systems.values()}
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
        for system, shown in systems.items():
            if not tried(system, test_set.name):
                continue
            run_file = paths.runs(system, collection) / f"{test_set.name}.trec"
            values = ranking_metrics(asked, read_run(run_file), ks)
            for name, ids in judged.items():
                if ids:
                    metrics[shown][name] = {"questions": len(ids), **means(values, ids)}
    return metrics
