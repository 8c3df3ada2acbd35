"""Precision, recall, MRR, MAP and nDCG of one system, where test questions have judgements."""

from __future__ import annotations

from itertools import compress

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.evaluation.ranking import ranking_metrics
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import read_test_sets
from ecqg.files import write_json
from ecqg.params import Params


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write the metrics of each judged test set and subset, with the number of judged questions."""
    metrics: dict[str, dict[str, float]] = {}
    for test_set in read_test_sets(paths.collection(collection)):
        file = paths.judgements(collection) / f"{test_set.name}{SUFFIX}"
        if not file.is_file():
            continue
        judgements = read_qrels(file)
        rankings = list(read_run(paths.runs(system, collection) / f"{test_set.name}.trec"))
        for name, members in test_set.members.items():
            ids = [question.id for question in compress(test_set.questions, members)]
            judged = {i: judgements[i] for i in ids if i in judgements}
            if judged:
                values = ranking_metrics(judged, rankings, params.evaluation.ks)
                metrics[name] = {"questions": len(judged), **values}
    write_json(paths.ranking_metrics(system, collection), {system: metrics})
