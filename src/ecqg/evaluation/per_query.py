"""Results per question, as CSV: id, question, rank of the first passage with an answer (0: none).

From these ranks follow the accuracy at every k, any paired test, and what to look at by hand.
Where questions are judged a second table has the ranks of the relevant passages that were found:
id, passage, rank.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.lines import read_csv
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation.runs import Ranking
from ecqg.files import atomic
from ecqg.tables import read_table, write_table

HEADER = ["id", "question", "rank"]
RELEVANT = ("id", "passage", "rank")
RELEVANT_FOLDER = "relevant"  # beside the other tables of a system


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
    ids: list[str] = []
    questions: list[str] = []
    ranks: list[int] = []
    for line, row in read_csv(path, HEADER, remedy="remake it with 'ecqg evaluate'"):
        if not re.fullmatch("[0-9]{1,9}", row[2]):
            what = f"the rank {row[2]!r}"
            raise InputError(what, file=path, line=line, remedy="remake it with 'ecqg evaluate'")
        ids.append(row[0])
        questions.append(row[1])
        ranks.append(int(row[2]))
    return Ranks(tuple(ids), tuple(questions), np.array(ranks, np.int64))


def write_relevant(path: str | Path, found: Iterable[tuple[str, str, int]]) -> None:
    """Write question, passage and rank of the relevant passages that a run has, by question."""
    write_table(path, RELEVANT, found)


def read_relevant(path: str | Path) -> list[Ranking]:
    """What `write_relevant` wrote, as rankings in which only the relevant passages have names.

    Raises InputError naming file and line.
    """
    ranks: dict[str, dict[int, str]] = defaultdict(dict)
    for number, row in enumerate(read_table(path, RELEVANT), 2):
        if not row["rank"].isdecimal() or not int(row["rank"]):
            what = f"rank {row['rank']}"
            raise InputError(what, file=path, line=number, remedy="remake it with 'ecqg evaluate'")
        ranks[row["id"]][int(row["rank"])] = row["passage"]
    rankings = []
    for question, names in ranks.items():
        # An id has no white space: these are no passage's.
        passages = tuple(names.get(rank, f"\t{rank}") for rank in range(1, max(names) + 1))
        rankings.append(Ranking(question, passages, tuple(-float(i) for i in range(len(passages)))))
    return rankings
