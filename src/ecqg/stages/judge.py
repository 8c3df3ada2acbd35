"""Accuracies, metrics of rankings, attention and overlap, with intervals, from figures measured.

Nothing here runs a model or looks at a passage, so that other cut-offs and intervals cost seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ecqg import paths, seeds
from ecqg.analysis.overlap import read_overlaps, summarise_overlap
from ecqg.attention.per_passage import read_per_passage
from ecqg.attention.summary import intervals
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.evaluation import headers
from ecqg.evaluation.bootstrap import accuracy_interval
from ecqg.evaluation.ranking import judged_metrics
from ecqg.evaluation.test_sets import split
from ecqg.evaluation.topk import RELEVANT_FOLDER, Ranks, hits, read_per_query, top_k_accuracy
from ecqg.files import read_json
from ecqg.params import Params
from ecqg.systems import evaluated
from ecqg.tables import write_table, write_values


class Figures(NamedTuple):
    """Where the figures of a system on a collection's test sets are."""

    system: str
    collection: str
    folder: Path


def run(params: Params) -> None:
    """Write paths.ACCURACY, RANKING, ATTENTION and OVERLAP."""
    figures = [
        Figures(system, collection, paths.per_query(system, collection))
        for collection in params.collections
        for system in evaluated(params.systems)
    ]
    write_table(paths.ACCURACY, headers.ACCURACY, _accuracies(params, figures))
    write_table(paths.RANKING, headers.RANKING, _ranking(params, figures))
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


def _read(figures: Figures) -> dict[str, Ranks]:
    """The ranks of test sets and their subsets, by name."""
    return {file.stem: read_per_query(file) for file in sorted(figures.folder.glob("*.csv"))}


def _accuracies(params: Params, figures: list[Figures]) -> Iterator[list[object]]:
    for found in figures:
        for part, of_part in _read(found).items():
            for k in params.evaluation.ks:
                low, high = accuracy_interval(
                    hits(of_part.ranks, k),
                    params.evaluation.bootstrap_samples,
                    params.evaluation.confidence,
                    seeds.numpy_rng(
                        params.seed, "evaluate", found.system, found.collection, part, k
                    ),
                )
                values = (f"{v:.4f}" for v in (top_k_accuracy(of_part.ranks, k), low, high))
                where = (found.system, found.collection, *split(part))
                yield [*where, k, len(of_part.ranks), *values]


def _ranking(params: Params, figures: list[Figures]) -> Iterator[list[object]]:
    for found in figures:
        parts: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for part, of_part in _read(found).items():
            parts[split(part)[0]][part] = of_part.ids
        for test_set, ids in parts.items():
            qrels = paths.qrels(found.collection) / f"{test_set}{SUFFIX}"
            if not qrels.is_file():
                continue
            relevant = found.folder / RELEVANT_FOLDER / f"{test_set}.csv"
            metrics = judged_metrics(relevant, read_qrels(qrels), ids, params.evaluation.ks)
            for part, questions, values in metrics:
                where = (found.system, found.collection, *split(part), questions)
                yield from ([*where, name, f"{value:.6f}"] for name, value in values.items())
        recall = found.folder / paths.INDEX_RECALL
        for test_set, values in (read_json(recall) if recall.is_file() else {}).items():
            of_index = (found.system, found.collection, test_set, "", "")
            yield from ([*of_index, f"index {name}", value] for name, value in values.items())


def _attention(params: Params) -> Iterator[list[object]]:
    for system in params.systems.dense:
        measured = read_per_passage(paths.attention_per_passage(system))
        bounds = intervals(
            measured,
            params.evaluation.bootstrap_samples,
            params.evaluation.confidence,
            params.seed,
            system,
        )
        for measure, values in (measured.values | measured.shares).items():
            kept = values[~np.isnan(values)]
            if len(kept):
                mean = kept.mean() * (100 if measure in measured.shares else 1)
                yield [system, measure, len(kept), f"{mean:.6f}"] + [
                    f"{bound:.6f}" for bound in bounds[measure]
                ]
