"""Attention measures per passage, as CSV, so that systems can be compared passage by passage.

Columns: id and row of the passage, tokens in the distribution, entropy (nats), the densities
first_sentence and later_sentences (1 is uniform; later_sentences is empty without any), and whether
(1 or 0) the highest-attended entity lies in the first half, the lowest-attended in the second
(empty where a passage has fewer than two).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.distribution import AttentionMeasures
from ecqg.attention.positions import Halves
from ecqg.corpus.passages import Passage
from ecqg.tables import Types, number, read_frame, write_table

MEASURES = ("entropy", "first_sentence", "later_sentences")
SHARES = Halves._fields
HEADER = ["id", "row", "tokens", *MEASURES, *SHARES]


@dataclass(frozen=True, slots=True)
class PerPassage:
    """Measures of a sample of n passages, by row."""

    ids: tuple[str, ...]
    rows: tuple[int, ...]
    values: dict[str, NDArray[np.float64]]  # measure -> [n]; NaN where a passage has none
    shares: dict[str, NDArray[np.float64]]  # likewise of SHARES, 1 where it is so, else 0


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


def read_per_passage(path: str | Path) -> PerPassage:
    """Read what `write_per_passage` wrote. Raises InputError naming file and line."""
    types: Types = {"row": int, **dict.fromkeys((*MEASURES, *SHARES), number)}
    rows = read_frame(path, HEADER, types, "make it with 'ecqg attention'")
    return PerPassage(
        tuple(rows["id"]),
        tuple(rows["row"]),
        {measure: rows[measure].to_numpy(np.float64) for measure in MEASURES},
        {share: rows[share].to_numpy(np.float64) for share in SHARES},
    )
