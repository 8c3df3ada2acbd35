"""Whether attention explains which questions a retriever answers, and its extremes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.random import Generator

from ecqg import paths, seeds
from ecqg.analysis.entity_scores import by_passage, read_scores
from ecqg.analysis.explanation import compare_extremes, correlations
from ecqg.params import Params
from ecqg.tables import write_values


def run(params: Params) -> None:
    """Write {"SYSTEM": {"extremes": ..., "explains_rank": ...}}.

    `same_questions` of a system other than the first of analysis.systems are the first one's
    extremes, scored by that system: whether what the first overlooks has caught up.
    """
    systems = params.analysis.systems
    scores = {system: read_scores(paths.entity_scores(system)) for system in systems}
    reference = {score.id: score.attention for score in scores[systems[0]]}
    metrics: dict[str, Any] = {}
    for system, own in scores.items():

        def bootstrap(stream: str, system: str = system) -> tuple[int, float, Generator]:
            rng = seeds.numpy_rng(params.seed, stream, system)
            return params.evaluation.bootstrap_samples, params.evaluation.confidence, rng

        groups = by_passage(own)
        metrics[system] = {
            "extremes": compare_extremes(groups, *bootstrap("extremes")),
            "explains_rank": correlations(groups, *bootstrap("explanation")),
        }
        if system != systems[0]:
            groups = by_passage([replace(s, attention=reference[s.id]) for s in own])
            same = compare_extremes(groups, *bootstrap("same questions"))
            metrics[system]["same_questions"] = same
    write_values(paths.EXPLANATION, metrics)
