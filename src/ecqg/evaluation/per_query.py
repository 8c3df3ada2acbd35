"""Results per question, as CSV: id, question, rank of the first passage with an answer (0: none).

From these ranks follow the accuracy at every k, any paired test, and what to look at by hand.
Where questions are judged a second table has the ranks of the relevant passages that were found:
id, passage, rank.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import Question
from ecqg.evaluation.runs import Ranking
from ecqg.tables import read_rows, write_table

HEADER = ("id", "question", "rank")
RELEVANT = ("id", "passage", "rank")
RELEVANT_FOLDER = "relevant"  # beside the other tables of a system
REMEDY = "remake it with 'ecqg evaluate'"


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
    rows = zip(questions, ranks.tolist(), strict=True)
    write_table(path, HEADER, ([question.id, question.text, rank] for question, rank in rows))


def read_per_query(path: str | Path) -> Ranks:
    """Read what `write_per_query` wrote. Raises InputError naming file and line."""
    rows = list(read_rows(path, HEADER, {"rank": _rank}, REMEDY))
    ids, questions, ranks = zip(*rows, strict=True) if rows else ((), (), ())
    return Ranks(ids, questions, np.array(ranks, np.int64))


def write_relevant(path: str | Path, found: Iterable[tuple[str, str, int]]) -> None:
    """Write question, passage and rank of the relevant passages that a run has, by question."""
    write_table(path, RELEVANT, found)


def read_relevant(path: str | Path) -> list[Ranking]:
    """What `write_relevant` wrote, as rankings in which only the relevant passages have names.

    Raises InputError naming file and line.
    """
    ranks: dict[str, dict[int, str]] = defaultdict(dict)
    for question, passage, rank in read_rows(path, RELEVANT, {"rank": _found_rank}, REMEDY):
        ranks[question][rank] = passage
    rankings = []
    for question, names in ranks.items():
        # An id has no white space: these are no passage's.
        passages = tuple(names.get(rank, f"\t{rank}") for rank in range(1, max(names) + 1))
        rankings.append(Ranking(question, passages, tuple(-float(i) for i in range(len(passages)))))
    return rankings


def _rank(cell: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", cell):
        raise ValueError(cell)
    return int(cell)


def _found_rank(cell: str) -> int:
    if not _rank(cell):
        raise ValueError(cell)
    return int(cell)
