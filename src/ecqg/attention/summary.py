"""Attention measures over a sample of passages: means, intervals, and attention by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ecqg.attention.compare import bootstrap_means
from ecqg.attention.distribution import AttentionMeasures
from ecqg.attention.per_passage import PerPassage
from ecqg.evaluation.bootstrap import accuracy_interval, percentiles
from ecqg.seeds import numpy_rng
from ecqg.tables import write_table

FEW = 0.05  # sentences that a smaller share of the passages has are not shown


def means(measured: Sequence[AttentionMeasures]) -> dict[str, float]:
    """Mean over passages of each measure; passages of one sentence have no later sentences."""
    return {
        "entropy": float(np.mean([m.entropy for m in measured])),
        "max_entropy": float(np.mean([np.log(m.tokens) for m in measured])),
        "normalised_entropy": float(np.mean([m.normalised_entropy for m in measured])),
        "first_sentence": float(np.mean([m.first_sentence for m in measured])),
        "later_sentences": float(np.nanmean([m.later_sentences for m in measured])),
    }


def intervals(
    measured: PerPassage, samples: int, confidence: float, seed: int, system: str
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap intervals over passages: of the means, and of the shares in percent.

    A measure that no passage has is left out.
    """
    found = {}
    for measure, values in (measured.values | measured.shares).items():
        kept = values[~np.isnan(values)]
        rng = numpy_rng(seed, "attention", system, measure)
        if not len(kept):
            continue
        if measure in measured.shares:
            found[measure] = accuracy_interval(kept == 1, samples, confidence, rng)
        else:
            found[measure] = percentiles(bootstrap_means(kept, samples, rng), confidence)
    return found


def write_by_sentence(path: str | Path, system: str, measured: Sequence[AttentionMeasures]) -> None:
    """Write CSV: system, sentence (from 1), density, share (percent), passages.

    Means over the passages that have the sentence; sentences that few passages have are left out.
    """
    rows = []
    for i in range(max(len(m.shares) for m in measured)):
        having = [m for m in measured if len(m.shares) > i]
        if len(having) < FEW * len(measured):
            break
        density = np.mean([m.densities[i] for m in having])
        share = 100 * np.mean([m.shares[i] for m in having])
        rows.append([system, i + 1, f"{density:.6f}", f"{share:.4f}", len(having)])
    write_table(path, ("system", "sentence", "density", "share", "passages"), rows)
