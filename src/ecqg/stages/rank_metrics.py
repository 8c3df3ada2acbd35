"""Precision, recall, MRR, MAP and nDCG of all systems, where test questions have judgements."""

from __future__ import annotations

from itertools import compress

from ecqg import paths
from ecqg.corpus.judgements import SUFFIX, read_qrels
from ecqg.evaluation.ranking import ranking_metrics
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import read_test_sets
from ecqg.files import write_json
from ecqg.params import Params

FIRST_STAGES = ("tfidf", "bm25", "dpr", "uncon", "mixed", "aug")
SYSTEMS = (*FIRST_STAGES, *map(paths.reranked, ("bm25", "mixed")))


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
            judged[name] = {i: judgements[i] for i in ids if i in judgements}
        for system in SYSTEMS:
            rankings = list(read_run(paths.runs(system, collection) / f"{test_set.name}.trec"))
            for name, of_set in judged.items():
                if of_set:
                    values = ranking_metrics(of_set, rankings, params.evaluation.ks)
                    metrics[system][name] = {"questions": len(of_set), **values}
    write_json(paths.ranking_metrics(collection), metrics)
