"""Do retrievers find the passages whose first sentences repeat the question? (thesis tab. 4.3)

The thesis splits the NQ dev questions by whether DPR has the gold passage in its top 20, and gives
for either part the mean share of a question's non-stop words that stand in the n-th sentence of its
gold passage (`ecqg.corpus.gold.sentence_overlap`). As in table 4.2, a mean is over the
questions whose passage has the sentence; the thesis does not say. Where it gives point values only,
the difference here comes with a percentile bootstrap interval, the two parts drawn independently.

What is measured is kept by question, as CSV: its number, whether its gold passage was found (1 or
0), that passage's sentences, and the overlap with each of the first SENTENCES, from 0 to 1; empty
where the passage has fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ecqg.corpus.gold import SENTENCES
from ecqg.evaluation.bootstrap import bootstrap_means, percentiles
from ecqg.tables import Types, number, read_frame, write_table

if TYPE_CHECKING:
    from pandas import DataFrame

OVERLAPS = [f"overlap_{i + 1}" for i in range(SENTENCES)]
COLUMNS = ("question", "found", "sentences", *OVERLAPS)


class Overlap(NamedTuple):
    """A question's overlap with its gold passage."""

    found: bool  # whether the passage was retrieved
    sentences: int  # that the passage has
    shares: list[float]  # of the question's words, by sentence, at most SENTENCES


def write_overlaps(path: str | Path, overlaps: Iterable[Overlap]) -> None:
    """Write a row a question; numbers read back unchanged."""
    rows = (
        [i, int(o.found), o.sentences, *o.shares, *[None] * (SENTENCES - len(o.shares))]
        for i, o in enumerate(overlaps)
    )
    write_table(path, COLUMNS, rows)


def read_overlaps(path: str | Path) -> DataFrame:
    """COLUMNS of what `write_overlaps` wrote, NaN where a passage lacks the sentence.

    Raises InputError naming file and line.
    """
    types: Types = {"found": int, "sentences": int, **dict.fromkeys(OVERLAPS, number)}
    return read_frame(path, COLUMNS, types)


def summarise_overlap(
    overlaps: DataFrame, samples: int, confidence: float, rng: np.random.Generator
) -> dict[str, Any]:
    """The number of questions, the percentage found, mean sentences, and {"sentence_1": ...}.

    By sentence there are the mean overlap of the questions that were found, of those that were
    missed, and the difference, in percent, with its interval from `low` to `high`; None where there
    are no questions. Counts are of the questions whose gold passage has the sentence.
    """
    found = overlaps["found"] == 1
    metrics: dict[str, Any] = {
        "questions": len(overlaps),
        "found": 100 * int(found.sum()) / len(overlaps) if len(overlaps) else None,
        "sentences_mean": float(overlaps["sentences"].mean()) if len(overlaps) else None,
    }
    for sentence, column in enumerate(OVERLAPS, 1):
        shares = 100 * overlaps[column]
        parts = [shares[which & shares.notna()].to_numpy(np.float64) for which in (found, ~found)]
        means = [float(part.mean()) if len(part) else None for part in parts]
        difference = low = high = None
        if means[0] is not None and means[1] is not None:
            difference = means[0] - means[1]
            drawn = [bootstrap_means(part, samples, rng) for part in parts]
            low, high = percentiles(drawn[0] - drawn[1], confidence)
        metrics[f"sentence_{sentence}"] = {
            "found": means[0],
            "missed": means[1],
            "difference": difference,
            "low": low,
            "high": high,
            "found_questions": len(parts[0]),
            "missed_questions": len(parts[1]),
        }
    return metrics
