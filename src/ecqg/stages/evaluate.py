"""Top-k accuracy of all systems on a collection's test sets, and metrics by judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

from ecqg import paths, seeds
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.bootstrap import accuracy_interval
from ecqg.evaluation.judged import judged_metrics
from ecqg.evaluation.per_query import write_per_query
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import QuestionSet, read_test_sets, tried
from ecqg.evaluation.topk import first_hits, hits, top_k_accuracy
from ecqg.files import atomic, read_json, write_json, write_text
from ecqg.params import Params
from ecqg.progress import track
from ecqg.systems import evaluated


def run(params: Params, collection: str = paths.MAIN, supervised: str | None = None) -> None:
    """Evaluate all systems, or only the one that was trained for the test set `supervised`."""
    test_sets = list(read_test_sets(paths.collection(collection)))
    if supervised is None:
        name = collection
        systems = {system: system for system in evaluated(params.rerank.first_stages)}
    else:
        name = f"{paths.SUPERVISED}/{supervised}"
        systems = {f"{paths.SUPERVISED}-{supervised}": paths.SUPERVISED}
    evaluate(params, collection, test_sets, systems, name)
    metrics = judged_metrics(collection, systems, test_sets, params.evaluation.ks)
    write_json(paths.ranking_metrics(name), metrics)


def evaluate(
    params: Params,
    collection: str,
    test_sets: Sequence[QuestionSet],
    systems: Mapping[str, str],
    name: str,
) -> None:
    """Write accuracies, accuracies with intervals for the plot, and ranks per question.

    `systems` says how each is called in what is written, `name` where: see `ecqg.paths`.
    """
    if max(params.evaluation.ks) > params.retrieval.depth:
        raise InputError(
            f"evaluation.ks asks for the top {max(params.evaluation.ks)} of "
            f"{params.retrieval.depth} passages",
            file="params.yaml",
            remedy="raise retrieval.depth or lower evaluation.ks",
        )
    passages = Passages(paths.collection(collection) / "passages.arrow")
    rows = passages.rows_by_id()
    matcher = AnswerMatcher(passages)  # one for all: systems find many passages in common
    metrics: dict[str, dict[str, dict[str, float]]] = {}
    lines = ["system,test_set,k,accuracy,low,high"]

    with atomic(paths.per_query(name)) as per_query:
        for system, shown in systems.items():
            runs = paths.runs(system, collection)
            accuracies = metrics[shown] = {}
            for test_set in test_sets:
                if not tried(system, test_set.name):
                    continue
                rankings = read_run(runs / f"{test_set.name}.trec", rows)
                what = f"evaluate {shown} on {test_set.name}"
                questions = track(test_set.questions, what, unit="question")
                ranks = first_hits(questions, rankings, matcher, rows)
                for part, members in test_set.members.items():
                    chosen = compress(test_set.questions, members)
                    write_per_query(per_query / shown / f"{part}.csv", chosen, ranks[members])
                    accuracies[part] = {}
                    for k in params.evaluation.ks:
                        accuracy = top_k_accuracy(ranks[members], k)
                        low, high = accuracy_interval(
                            hits(ranks[members], k),
                            params.evaluation.bootstrap_samples,
                            params.evaluation.confidence,
                            seeds.numpy_rng(params.seed, "evaluate", system, collection, part, k),
                        )
                        accuracies[part][f"top{k}"] = accuracy
                        lines.append(f"{shown},{part},{k},{accuracy:.4f},{low:.4f},{high:.4f}")
            index_recall = runs / paths.INDEX_RECALL
            if index_recall.is_file():
                metrics[f"{shown} index"] = read_json(index_recall)

    write_json(paths.retrieval_metrics(name), metrics)
    write_text(paths.retrieval_plot(name), "\n".join(lines) + "\n")
