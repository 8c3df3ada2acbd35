"""Top-k accuracy of all systems on a collection's test sets, and metrics by judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

import numpy as np

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
from ecqg.resume import resumable
from ecqg.shards import in_shards
from ecqg.systems import evaluated


def run(params: Params, collection: str = paths.MAIN, supervised: str | None = None) -> None:
    """Evaluate all systems, or only the one that was trained for the test set `supervised`."""
    test_sets = list(read_test_sets(paths.collection(collection)))
    if supervised is None:
        name = collection
        systems = {
            system: system for system in evaluated(params.systems, params.rerank.first_stages)
        }
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

    `systems` says how each is called in what is written, `name` where: see `ecqg.paths`. Goes on
    where it was killed.
    """
    if max(params.evaluation.ks) > params.retrieval.depth:
        raise InputError(
            f"evaluation.ks asks for the top {max(params.evaluation.ks)} of "
            f"{params.retrieval.depth} passages",
            file="params.yaml",
            remedy="raise retrieval.depth or lower evaluation.ks",
        )
    folder = paths.collection(collection)
    passages = Passages(folder / "passages.arrow")
    rows = passages.rows_by_id()
    matcher = AnswerMatcher(passages)  # one for all: systems find many passages in common
    metrics: dict[str, dict[str, dict[str, float]]] = {shown: {} for shown in systems.values()}
    lines = ["system,test_set,k,accuracy,low,high"]

    def ranks_of(run: tuple[str, QuestionSet]) -> list[int]:
        """Of the first passages with an answer, by question."""
        system, test_set = run
        rankings = read_run(paths.runs(system, collection) / f"{test_set.name}.trec", rows)
        what = f"evaluate {systems[system]} on {test_set.name}"
        found: list[int] = first_hits(
            track(test_set.questions, what, unit="question"), rankings, matcher, rows
        ).tolist()
        return found

    runs = [(system, t) for system in systems for t in test_sets if tried(system, t.name)]
    folders = [paths.runs(system, collection) for system in systems]
    inputs = [folder, *(found for found in folders if found.is_dir())]
    with (
        resumable(f"evaluate@{name.replace('/', '-')}", inputs) as kept,
        atomic(paths.per_query(name)) as per_query,
    ):
        for (system, test_set), found in zip(runs, in_shards(kept, runs, ranks_of), strict=True):
            shown, ranks = systems[system], np.array(found, np.int64)
            accuracies = metrics[shown]
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
    for system, shown in systems.items():
        index_recall = paths.runs(system, collection) / paths.INDEX_RECALL
        if index_recall.is_file():
            metrics[f"{shown} index"] = read_json(index_recall)

    write_json(paths.retrieval_metrics(name), metrics)
    write_text(paths.retrieval_plot(name), "\n".join(lines) + "\n")
