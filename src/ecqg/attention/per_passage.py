"""Attention measures per passage, as CSV, so that systems can be compared passage by passage.

Columns: id and row of the passage, tokens in the distribution, entropy (nats), and the densities
first_sentence and later_sentences (1 is uniform; later_sentences is empty without any).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.distribution import Evenness
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.files import atomic

MEASURES = ("entropy", "first_sentence", "later_sentences")
HEADER = ["id", "row", "tokens", *MEASURES]


@dataclass(frozen=True, slots=True)
class PerPassage:
    """Measures of a sample of n passages, by row."""

    ids: tuple[str, ...]
    rows: tuple[int, ...]
    values: dict[str, NDArray[np.float64]]  # measure -> [n]; NaN where a passage has none


def write_per_passage(path: str | Path, records: Iterable[tuple[Passage, Evenness]]) -> None:
    """Write one row a passage, in the order given; numbers read back unchanged."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        for passage, measured in records:
            values = [getattr(measured, measure) for measure in MEASURES]
            shown = ["" if np.isnan(value) else repr(value) for value in values]
            writer.writerow([passage.id, passage.row, measured.tokens, *shown])


def read_per_passage(path: str | Path) -> PerPassage:
    """Read what `write_per_passage` wrote. Raises InputError naming file and line."""
    remedy = "make it with 'ecqg attention'"
    if not Path(path).is_file():
        raise InputError("no such file", file=path, remedy=remedy)
    ids, rows, values = [], [], []
    with Path(path).open(encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        if next(reader, None) != HEADER:
            raise InputError("no attention per passage", file=path, line=1, remedy=remedy)
        for record in reader:
            try:
                name, row, _, *measures = record
                numbers = [float(value or "nan") for value in measures]
                if len(numbers) != len(MEASURES):
                    raise ValueError
                rows.append(int(row))
            except ValueError:
                line = reader.line_num
                what = f"not '{','.join(HEADER)}'"
                raise InputError(what, file=path, line=line, remedy=remedy) from None
            ids.append(name)
            values.append(numbers)
    columns = np.array(values, np.float64).reshape(-1, len(MEASURES)).T
    return PerPassage(tuple(ids), tuple(rows), dict(zip(MEASURES, columns, strict=True)))
