"""Accuracies, metrics of rankings, attention and overlap, with intervals, from figures measured.

Nothing here runs a model or looks at a passage, so that other cut-offs and intervals cost seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecqg import paths, seeds
from ecqg.analysis.overlap import read_overlaps, summarise_overlap
from ecqg.attention.per_passage import mean_intervals, read_per_passage
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.evaluation import headers
from ecqg.evaluation.bootstrap import accuracy_interval
from ecqg.evaluation.judged import judged_metrics
from ecqg.evaluation.per_query import RELEVANT_FOLDER, read_per_query
from ecqg.evaluation.test_sets import split
from ecqg.evaluation.topk import hits, top_k_accuracy
from ecqg.files import read_json
from ecqg.params import Params
from ecqg.systems import evaluated
from ecqg.tables import write_table, write_values


def run(params: Params) -> None:
    """Write paths.ACCURACY, RANKING, ATTENTION and OVERLAP."""
    write_table(paths.ACCURACY, headers.ACCURACY, _accuracies(params))
    write_table(paths.RANKING, headers.RANKING, _ranking(params))
    write_table(paths.ATTENTION, headers.ATTENTION, _attention(params))
    overlaps: dict[str, dict[str, Any]] = {}
    for system in params.analysis.systems:
        overlaps[system] = summarise_overlap(
            read_overlaps(paths.overlap_per_question(system)),
            params.evaluation.bootstrap_samples,
            params.evaluation.confidence,
            seeds.numpy_rng(params.seed, "overlap", system),
        )
        overlaps[system]["depth"] = params.analysis.gold_depth
    write_values(paths.OVERLAP, overlaps)


def _measured(params: Params) -> Iterator[tuple[str, str, Path, list[Path]]]:
    """Systems on collections: their folders of figures, with the files of test sets and subsets."""
    for collection in params.collections:
        for system in evaluated(params.systems):
            folder = paths.per_query(system, collection)
            yield system, collection, folder, sorted(folder.glob("*.csv"))


def _accuracies(params: Params) -> Iterator[list[object]]:
    for system, collection, _, files in _measured(params):
        for file in files:
            ranks = read_per_query(file).ranks
            for k in params.evaluation.ks:
                bounds = accuracy_interval(
                    hits(ranks, k),
                    params.evaluation.bootstrap_samples,
                    params.evaluation.confidence,
                    seeds.numpy_rng(params.seed, "evaluate", system, collection, file.stem, k),
                )
                values = (f"{value:.4f}" for value in (top_k_accuracy(ranks, k), *bounds))
                yield [system, collection, *split(file.stem), k, len(ranks), *values]


def _ranking(params: Params) -> Iterator[list[object]]:
    for system, collection, folder, files in _measured(params):
        parts: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for file in files:
            parts[split(file.stem)[0]][file.stem] = read_per_query(file).ids
        for test_set, ids in parts.items():
            qrels = paths.qrels(collection) / f"{test_set}{SUFFIX}"
            if not qrels.is_file():
                continue
            relevant = folder / RELEVANT_FOLDER / f"{test_set}.csv"
            metrics = judged_metrics(relevant, read_qrels(qrels), ids, params.evaluation.ks)
            for part, questions, values in metrics:
                where = (system, collection, *split(part), questions)
                yield from ([*where, name, f"{value:.6f}"] for name, value in values.items())
        recall = folder / paths.INDEX_RECALL
        for test_set, values in (read_json(recall) if recall.is_file() else {}).items():
            of_index = (system, collection, test_set, "", "")
            yield from ([*of_index, f"index {name}", value] for name, value in values.items())


def _attention(params: Params) -> Iterator[list[object]]:
    for system in params.systems.dense:
        intervals = mean_intervals(
            read_per_passage(paths.attention_per_passage(system)),
            params.evaluation.bootstrap_samples,
            params.evaluation.confidence,
            params.seed,
            system,
        )
        for measure, passages, *values in intervals:
            yield [system, measure, passages, *(f"{value:.6f}" for value in values)]
