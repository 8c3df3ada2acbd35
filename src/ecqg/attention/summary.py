"""Attention measures over a sample of passages: means, intervals, and attention by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ecqg.attention.compare import bootstrap_means
from ecqg.attention.distribution import Evenness
from ecqg.attention.per_passage import MEASURES
from ecqg.attention.positions import EntityPositions
from ecqg.evaluation.bootstrap import accuracy_interval, percentiles
from ecqg.files import write_text
from ecqg.seeds import numpy_rng

FEW = 0.05  # sentences that a smaller share of the passages has are not shown


def means(measured: Sequence[Evenness]) -> dict[str, float]:
    """Mean over passages of each measure; passages of one sentence have no later sentences."""
    return {
        "entropy": float(np.mean([m.entropy for m in measured])),
        "max_entropy": float(np.mean([np.log(m.tokens) for m in measured])),
        "normalised_entropy": float(np.mean([m.normalised_entropy for m in measured])),
        "first_sentence": float(np.mean([m.first_sentence for m in measured])),
        "later_sentences": float(np.nanmean([m.later_sentences for m in measured])),
    }


def intervals(
    measured: Sequence[Evenness], samples: int, confidence: float, seed: int, system: str
) -> dict[str, dict[str, float]]:
    """Percentile bootstrap intervals over passages of the means: measure -> low, high."""
    found = {}
    for measure in MEASURES:
        values = np.array([getattr(m, measure) for m in measured])
        rng = numpy_rng(seed, "attention", system, measure)
        drawn = bootstrap_means(values[~np.isnan(values)], samples, rng)
        low, high = percentiles(drawn, confidence)
        found[measure] = {"low": low, "high": high}
    return found


def position_intervals(
    positions: EntityPositions, samples: int, confidence: float, seed: int, system: str
) -> dict[str, dict[str, float]]:
    """Percentile bootstrap intervals over passages of the shares by half: measure -> low, high."""
    first = {
        which: np.arange(places.mentions) < places.in_first_half
        for which, places in positions.places.items()
    }
    shares = {"highest_first_half": first["highest"], "lowest_second_half": ~first["lowest"]}
    found = {}
    for measure, hits in shares.items():
        if len(hits):
            rng = numpy_rng(seed, "attention", system, measure)
            low, high = accuracy_interval(hits, samples, confidence, rng)
            found[measure] = {"low": low, "high": high}
    return found


def write_by_sentence(path: str | Path, system: str, measured: Sequence[Evenness]) -> None:
    """Write CSV: system, sentence (from 1), density, share (percent), passages.

    Means over the passages that have the sentence; sentences that few passages have are left out.
    """
    lines = ["system,sentence,density,share,passages"]
    for i in range(max(len(m.shares) for m in measured)):
        having = [m for m in measured if len(m.shares) > i]
        if len(having) < FEW * len(measured):
            break
        density = np.mean([m.densities[i] for m in having])
        share = 100 * np.mean([m.shares[i] for m in having])
        lines.append(f"{system},{i + 1},{density:.6f},{share:.4f},{len(having)}")
    write_text(path, "\n".join(lines) + "\n")
