"""Accuracies, metrics of rankings, attention and overlap, with intervals, from stored figures.

Nothing here runs a model or looks at a passage, so that other cut-offs and intervals cost seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ecqg import paths, seeds
from ecqg.analysis.overlap import read_overlaps, summarise_overlap
from ecqg.attention.per_passage import mean_intervals, read_per_passage
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.evaluation import headers
from ecqg.evaluation.bootstrap import accuracy_interval
from ecqg.evaluation.ranking import judged_metrics
from ecqg.evaluation.test_sets import split
from ecqg.evaluation.topk import RELEVANT_FOLDER, Ranks, hits, read_per_query, top_k_accuracy
from ecqg.files import read_as
from ecqg.params import Params
from ecqg.systems import evaluated
from ecqg.tables import REMAKE, write_table, write_values

Percent = Annotated[float, Meta(ge=0, le=100)]


def run(params: Params) -> None:
    """Write paths.ACCURACY, RANKING, ATTENTION and OVERLAP."""
    accuracies: list[list[object]] = []
    rankings: list[list[object]] = []
    for collection in params.collections:
        for system in evaluated(params.systems):
            folder = paths.per_query(system, collection)
            parts = {file.stem: read_per_query(file) for file in sorted(folder.glob("*.csv"))}
            accuracies += _accuracies(params, system, collection, parts)
            rankings += _ranking(params, system, collection, parts)
    write_table(paths.ACCURACY, headers.ACCURACY, accuracies)
    write_table(paths.RANKING, headers.RANKING, rankings)
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


def _accuracies(
    params: Params, system: str, collection: str, parts: Mapping[str, Ranks]
) -> Iterator[list[object]]:
    """Of a system on a collection; `parts` are its test sets and their subsets."""
    for part, measured in parts.items():
        for k in params.evaluation.ks:
            bounds = accuracy_interval(
                hits(measured.ranks, k),
                params.evaluation.bootstrap_samples,
                params.evaluation.confidence,
                seeds.numpy_rng(params.seed, "evaluate", system, collection, part, k),
            )
            values = (f"{value:.4f}" for value in (top_k_accuracy(measured.ranks, k), *bounds))
            yield [system, collection, *split(part), k, len(measured.ranks), *values]


def _ranking(
    params: Params, system: str, collection: str, parts: Mapping[str, Ranks]
) -> Iterator[list[object]]:
    """The same of judged test sets, and what an approximate index finds."""
    folder = paths.per_query(system, collection)
    for test_set in dict.fromkeys(split(part)[0] for part in parts):
        qrels = paths.qrels(collection) / f"{test_set}{SUFFIX}"
        if not qrels.is_file():
            continue
        ids = {part: of.ids for part, of in parts.items() if split(part)[0] == test_set}
        relevant = folder / RELEVANT_FOLDER / f"{test_set}.csv"
        metrics = judged_metrics(relevant, read_qrels(qrels), ids, params.evaluation.ks)
        for part, questions, values in metrics:
            where = (system, collection, *split(part), questions)
            yield from ([*where, name, f"{value:.6f}"] for name, value in values.items())
    recall = folder / paths.INDEX_RECALL
    for test_set, values in _recalls(recall).items() if recall.is_file() else ():
        of_index = (system, collection, test_set, "", "")
        yield from ([*of_index, f"index {name}", value] for name, value in values.items())


def _recalls(file: Path) -> dict[str, dict[str, float]]:
    return read_as(file, dict[str, dict[str, Percent]], "not the recall of an index", REMAKE)


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
