"""Attention measures over a sample of passages: as CSV by passage, means, intervals, paired tests.

Columns of the CSV: id and row of the passage, tokens in the distribution, entropy (nats), the
densities first_sentence and later_sentences (1 is uniform; later_sentences is empty without any),
and whether (1 or 0) the highest-attended entity lies in the first half, the lowest-attended in the
second (empty where a passage has fewer than two).

The papers give means, and differences of means (SIGIR sec. 4.1), without uncertainty. We add the
percentile bootstrap interval over passages and, where two systems are compared on the same
passages, the paired t-test. Both speak of these two trained models on other passages; what another
training seed would bring is for a comparison over seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.positions import Halves
from ecqg.attention.tokens import AttentionMeasures
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import (
    Comparison,
    accuracy_interval,
    bootstrap_means,
    percentiles,
)
from ecqg.seeds import numpy_rng
from ecqg.tables import Types, number, read_frame, write_table

if TYPE_CHECKING:
    from pandas import DataFrame

MEASURES = ("entropy", "first_sentence", "later_sentences")
SHARES = Halves._fields
HEADER = ["id", "row", "tokens", *MEASURES, *SHARES]
FEW = 0.05  # sentences that a smaller share of the passages has are not shown


def write_per_passage(
    path: str | Path, records: Iterable[tuple[Passage, AttentionMeasures, Halves | None]]
) -> None:
    """Write one row a passage, in the order given; numbers read back unchanged."""
    rows = []
    for passage, measured, halves in records:
        values = (getattr(measured, measure) for measure in MEASURES)
        shown = [None if np.isnan(value) else value for value in values]
        shares = map(int, halves) if halves else [None] * len(SHARES)
        rows.append([passage.id, passage.row, measured.tokens, *shown, *shares])
    write_table(path, HEADER, rows)


def read_per_passage(path: str | Path) -> DataFrame:
    """Read what `write_per_passage` wrote, NaN in empty cells.

    Raises InputError naming file and line.
    """
    types: Types = {"row": int, **dict.fromkeys((*MEASURES, *SHARES), number)}
    return read_frame(path, HEADER, types, "make it with 'ecqg attention'")


def means(measured: Sequence[AttentionMeasures]) -> dict[str, float]:
    """Mean over passages of each measure; passages of one sentence have no later sentences."""
    values = {
        "entropy": [m.entropy for m in measured],
        "max_entropy": [np.log(m.tokens) for m in measured],
        "normalised_entropy": [m.normalised_entropy for m in measured],
        "first_sentence": [m.first_sentence for m in measured],
        "later_sentences": [m.later_sentences for m in measured],
    }
    return {name: float(np.nanmean(of_all)) for name, of_all in values.items()}


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


def mean_intervals(
    measured: DataFrame, samples: int, confidence: float, seed: int, system: str
) -> Iterator[tuple[str, int, float, float, float]]:
    """Of each measure its passages, its mean, in percent for shares, and the interval's bounds.

    A measure that no passage has is left out.
    """
    for measure in (*MEASURES, *SHARES):
        values = measured[measure].dropna().to_numpy(np.float64)
        if not len(values):
            continue
        rng = numpy_rng(seed, "attention", system, measure)
        if measure in SHARES:
            mean = 100 * values.mean()
            bounds = accuracy_interval(values == 1, samples, confidence, rng)
        else:
            mean = values.mean()
            bounds = percentiles(bootstrap_means(values, samples, rng), confidence)
        yield measure, len(values), float(mean), *bounds


@dataclass(frozen=True, slots=True)
class Difference(Comparison):
    """A measure of system a less that of system b, over passages; `p` is of the paired t-test."""

    percent: float  # of b's mean


def paired_attention_tests(
    files: Mapping[str, Path],
    pairs: Iterable[tuple[str, str]],
    *,
    samples: int,
    confidence: float,
    seed: int,
) -> dict[tuple[str, str, str], Difference]:
    """Differences of each pair of the systems and each measure.

    `files` gives each system's file of attention per passage. Passages without a measure (later
    sentences of a single one) do not count. Raises InputError where two files are about different
    passages.
    """
    read = {system: read_per_passage(file) for system, file in files.items()}
    tests = {}
    for a, b in pairs:
        if not read[a]["id"].equals(read[b]["id"]):
            remedy = f"run 'ecqg attention' again for {a} and {b}"
            raise InputError(f"other passages than {b}'s", file=files[a], remedy=remedy)
        for measure in MEASURES:
            rng = numpy_rng(seed, "attention", a, b, measure)
            both = np.stack([read[system][measure].to_numpy(np.float64) for system in (a, b)])
            both = both[:, ~np.isnan(both).any(0)]
            tests[a, b, measure] = compare(both[0], both[1], samples, confidence, rng)
    return tests


def compare(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    samples: int,
    confidence: float,
    rng: np.random.Generator,
) -> Difference:
    """Compare values on the same n >= 2 passages, in the same order."""
    from scipy.stats import ttest_rel

    differences = a - b
    low, high = percentiles(bootstrap_means(differences, samples, rng), confidence)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return Difference(
        difference=float(differences.mean()),
        low=low,
        high=high,
        p=float(ttest_rel(a, b).pvalue) if differences.any() else 1.0,
        wins=wins,
        ties=len(differences) - wins - losses,
        losses=losses,
        percent=float(100 * differences.mean() / b.mean()),
    )
