"""Attention measures per passage, as CSV, so that systems can be compared passage by passage.

Columns: id and row of the passage, tokens in the distribution, entropy (nats), the densities
first_sentence and later_sentences (1 is uniform; later_sentences is empty without any), and whether
(1 or 0) the highest-attended entity lies in the first half, the lowest-attended in the second
(empty where a passage has fewer than two).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.distribution import Evenness
from ecqg.attention.positions import Halves
from ecqg.corpus.lines import read_csv
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.files import atomic

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
    path: str | Path, records: Iterable[tuple[Passage, Evenness, Halves | None]]
) -> None:
    """Write one row a passage, in the order given; numbers read back unchanged."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        for passage, measured, halves in records:
            values = [getattr(measured, measure) for measure in MEASURES]
            shown = ["" if np.isnan(value) else repr(value) for value in values]
            shown += [str(int(half)) for half in halves] if halves else [""] * len(SHARES)
            writer.writerow([passage.id, passage.row, measured.tokens, *shown])


def read_per_passage(path: str | Path) -> PerPassage:
    """Read what `write_per_passage` wrote. Raises InputError naming file and line."""
    remedy = "make it with 'ecqg attention'"
    ids, rows, values = [], [], []
    for line, (name, row, _, *measures) in read_csv(path, HEADER, remedy=remedy):
        try:
            values.append([float(value or "nan") for value in measures])
            rows.append(int(row))
        except ValueError:
            what = f"not '{','.join(HEADER)}'"
            raise InputError(what, file=path, line=line, remedy=remedy) from None
        ids.append(name)
    columns = np.array(values, np.float64).reshape(-1, len(HEADER) - 3).T
    named = dict(zip(HEADER[3:], columns, strict=True))
    return PerPassage(
        tuple(ids), tuple(rows), {m: named[m] for m in MEASURES}, {s: named[s] for s in SHARES}
    )
