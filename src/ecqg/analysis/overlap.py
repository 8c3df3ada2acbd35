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

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ecqg.corpus.gold import SENTENCES
from ecqg.evaluation.bootstrap import bootstrap_means, percentiles
from ecqg.tables import Types, number, read_frame, write_table

COLUMNS = ("question", "found", "sentences", *(f"overlap_{i + 1}" for i in range(SENTENCES)))


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


def read_overlaps(path: str | Path) -> list[Overlap]:
    """Read what `write_overlaps` wrote. Raises InputError naming file and line."""
    types: Types = {"found": int, "sentences": int, **dict.fromkeys(COLUMNS[3:], number)}
    return [
        Overlap(bool(found), sentences, [share for share in shares if not isnan(share)])
        for _, found, sentences, *shares in read_frame(path, COLUMNS, types).to_numpy(object)
    ]


@dataclass(frozen=True, slots=True)
class Split:
    """Mean overlap with the n-th sentence by whether the gold passage was found, in percent.

    Counts are of the questions whose gold passage has the sentence. A mean over no questions is
    None, and so is the difference, of which `low` and `high` bound the confidence interval.
    """

    found: float | None
    missed: float | None
    difference: float | None  # found - missed
    low: float | None
    high: float | None
    found_questions: int
    missed_questions: int


def split_overlap(
    overlaps: Sequence[Sequence[float]],
    found: Sequence[bool],
    samples: int,
    confidence: float,
    rng: np.random.Generator,
) -> list[Split]:
    """The table's rows for sentences 1 to SENTENCES.

    `overlaps` holds each question's overlap with the sentences of its gold passage, from 0 to 1,
    at most SENTENCES of them; `found` says whether that passage was retrieved.
    """
    rows = []
    for sentence in range(SENTENCES):
        having = [
            (o[sentence], f) for o, f in zip(overlaps, found, strict=True) if len(o) > sentence
        ]
        parts = [np.array([100 * o for o, f in having if f is part]) for part in (True, False)]
        means = [float(part.mean()) if len(part) else None for part in parts]
        difference = low = high = None
        if means[0] is not None and means[1] is not None:
            difference = means[0] - means[1]
            drawn = [bootstrap_means(part, samples, rng) for part in parts]
            low, high = percentiles(drawn[0] - drawn[1], confidence)
        rows.append(Split(means[0], means[1], difference, low, high, len(parts[0]), len(parts[1])))
    return rows


def summarise_overlap(
    overlaps: Sequence[Overlap], samples: int, confidence: float, rng: np.random.Generator
) -> dict[str, Any]:
    """The number of questions, the percentage found, mean sentences, and {"sentence_1": Split}."""
    rows = split_overlap(
        [o.shares for o in overlaps], [o.found for o in overlaps], samples, confidence, rng
    )
    return {
        "questions": len(overlaps),
        "found": 100 * sum(o.found for o in overlaps) / len(overlaps),
        "sentences_mean": float(np.mean([o.sentences for o in overlaps])),
        **{f"sentence_{i}": asdict(split) for i, split in enumerate(rows, 1)},
    }
