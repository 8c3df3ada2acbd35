"""Precision, recall, MRR, MAP and nDCG of all systems, where test questions have judgements."""

from __future__ import annotations

from itertools import compress

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.evaluation.ranking import means, ranking_metrics
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import read_test_sets
from ecqg.files import write_json
from ecqg.params import Params
from ecqg.systems import SYSTEMS


def run(params: Params, collection: str = paths.MAIN) -> None:
    """Write the metrics of each judged test set and subset, with the number of judged questions."""
    metrics: dict[str, dict[str, dict[str, float]]] = {system: {} for system in SYSTEMS}
    for test_set in read_test_sets(paths.collection(collection)):
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
        for system in SYSTEMS:
            run_file = paths.runs(system, collection) / f"{test_set.name}.trec"
            values = ranking_metrics(asked, read_run(run_file), params.evaluation.ks)
            for name, ids in judged.items():
                if ids:
                    metrics[system][name] = {"questions": len(ids), **means(values, ids)}
    write_json(paths.ranking_metrics(collection), metrics)
