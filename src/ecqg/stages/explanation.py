"""Whether attention explains which questions a retriever answers, and its extremes."""

from __future__ import annotations

from dataclasses import replace

from ecqg import paths, seeds
from ecqg.analysis.entity_scores import by_passage, read_scores
from ecqg.analysis.explanation import correlations
from ecqg.analysis.explanation_picture import draw_explanation
from ecqg.analysis.extremes import compare_extremes
from ecqg.files import write_json
from ecqg.params import Params

SYSTEMS = ("dpr", "mixed")


def run(params: Params) -> None:
    """Write {"SYSTEM": {"extremes": ..., "explains_rank": ...}} and the picture of the latter.

    `same_questions` of a system other than the baseline are the baseline's extremes, scored by
    that system: whether what the baseline overlooks has caught up.
    """
    scores = {system: read_scores(paths.entity_scores(system)) for system in SYSTEMS}
    baseline = {score.id: score.attention for score in scores[SYSTEMS[0]]}
    samples, confidence = params.evaluation.bootstrap_samples, params.evaluation.confidence
    metrics = {}
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
        if system != SYSTEMS[0]:
            as_baseline = [replace(score, attention=baseline[score.id]) for score in found]
            metrics[system]["same_questions"] = compare_extremes(
                by_passage(as_baseline),
                samples,
                confidence,
                seeds.numpy_rng(params.seed, "same questions", system),
            )
    write_json(paths.EXPLANATION, metrics)
    draw_explanation(
        paths.EXPLANATION_PICTURE,
        {system: found["explains_rank"] for system, found in metrics.items()},
        confidence,
    )
