"""Whether attention explains which questions a retriever answers, and its extremes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
    samples, confidence = params.evaluation.bootstrap_samples, params.evaluation.confidence
    metrics: dict[str, Any] = {}
    for system, found in scores.items():
        groups = by_passage(found)
        metrics[system] = {
            "extremes": compare_extremes(
                groups, samples, confidence, seeds.numpy_rng(params.seed, "extremes", system)
            ),
            "explains_rank": correlations(
                groups, samples, confidence, seeds.numpy_rng(params.seed, "explanation", system)
            ),
        }
        if system != systems[0]:
            of_reference = [replace(score, attention=reference[score.id]) for score in found]
            metrics[system]["same_questions"] = compare_extremes(
                by_passage(of_reference),
                samples,
                confidence,
                seeds.numpy_rng(params.seed, "same questions", system),
            )
    write_values(paths.EXPLANATION, metrics)
