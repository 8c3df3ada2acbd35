"""Top-k accuracy of one system on the test sets of a collection."""

from __future__ import annotations

from itertools import compress

from ecqg import paths, seeds
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.bootstrap import accuracy_interval
from ecqg.evaluation.per_query import write_per_query
from ecqg.evaluation.runs import read_run
from ecqg.evaluation.test_sets import read_test_sets, tried
from ecqg.evaluation.topk import first_hits, hits, top_k_accuracy
from ecqg.files import atomic, read_json, write_json, write_text
from ecqg.params import Params
from ecqg.progress import track


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write accuracies, accuracies with intervals for the plot, and ranks per question."""
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
    matcher = AnswerMatcher(passages)
    shown = paths.SUPERVISED if paths.supervised_set(system) else system
    accuracies: dict[str, dict[str, float]] = {}
    lines = ["system,test_set,k,accuracy,low,high"]

    with atomic(paths.per_query(system, collection)) as per_query:
        for test_set in read_test_sets(folder):
            if not tried(system, test_set.name):
                continue
            rankings = read_run(paths.runs(system, collection) / f"{test_set.name}.trec", rows)
            questions = track(test_set.questions, f"evaluate {test_set.name}", unit="question")
            ranks = first_hits(questions, rankings, matcher, rows)
            for name, members in test_set.members.items():
                part = ranks[members]
                chosen = compress(test_set.questions, members)
                write_per_query(per_query / f"{name}.csv", chosen, part)
                accuracies[name] = {
                    f"top{k}": top_k_accuracy(part, k) for k in params.evaluation.ks
                }
                for k in params.evaluation.ks:
                    rng = seeds.numpy_rng(params.seed, "evaluate", system, collection, name, k)
                    low, high = accuracy_interval(
                        hits(part, k),
                        params.evaluation.bootstrap_samples,
                        params.evaluation.confidence,
                        rng,
                    )
                    accuracy = accuracies[name][f"top{k}"]
                    lines.append(f"{shown},{name},{k},{accuracy:.4f},{low:.4f},{high:.4f}")

    metrics = {shown: accuracies}
    index_recall = paths.runs(system, collection) / paths.INDEX_RECALL
    if index_recall.is_file():
        metrics[f"{shown} index"] = read_json(index_recall)
    write_json(paths.retrieval_metrics(system, collection), metrics)
    write_text(paths.retrieval_plot(system, collection), "\n".join(lines) + "\n")
