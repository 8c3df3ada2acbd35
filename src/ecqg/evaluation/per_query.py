"""Results per question, as CSV: id, question, rank of the first passage with an answer (0: none).

From these ranks follow the accuracy at every k, any paired test, and what to look at by hand.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.files import atomic

HEADER = ["id", "question", "rank"]


@dataclass(frozen=True, slots=True)
class Ranks:
    """One system on one test set."""

    ids: tuple[str, ...]
    questions: tuple[str, ...]
    ranks: NDArray[np.int64]


def write_per_query(
    path: str | Path, questions: Iterable[Question], ranks: NDArray[np.int64]
) -> None:
    """Write one row a question, in the order given."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        for question, rank in zip(questions, ranks.tolist(), strict=True):
            writer.writerow([question.id, question.text, rank])


def read_per_query(path: str | Path) -> Ranks:
    """Read what `write_per_query` wrote. Raises InputError naming file and line."""
    with Path(path).open(encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        if next(reader, None) != HEADER:
            raise InputError(
                "no per-query results", file=path, line=1, remedy="remake it with 'ecqg evaluate'"
            )
        ids, questions, ranks = [], [], []
        for row in reader:
            if len(row) != 3 or not row[2].isdecimal():
                raise InputError(
                    "not 'id,question,rank'",
                    file=path,
                    line=reader.line_num,
                    remedy="remake it with 'ecqg evaluate'",
                )
            ids.append(row[0])
            questions.append(row[1])
            ranks.append(int(row[2]))
    return Ranks(tuple(ids), tuple(questions), np.array(ranks, np.int64))
