"""Top-k accuracy: the share of questions for which at least one of the top k passages contains an
answer string.

The papers' "top-k accuracy" (SIGIR tab. 3), DPR's "top-k retrieval accuracy", what others call
success at k or hit rate at k; it is not recall, since how many passages hold an answer plays no
part. It follows from the rank of the first passage with an answer, as do any paired test and what
to look at by hand. So these ranks are written per question, as CSV: id, question, rank (0: none).
A question without results, or with too few, is a failure; it is never left out. Where a question
has no answer strings, a passage counts that is judged relevant (ecqg.corpus.qrels).

Where questions are judged a second table has the ranks of the relevant passages that were found:
id, passage, rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking
from ecqg.tables import read_frame, read_table, write_table

Qrels = Mapping[str, Mapping[str, int]]  # question id -> passage id -> relevance
HEADER = ("id", "question", "rank")
RELEVANT = ("id", "passage", "rank")
RELEVANT_FOLDER = "relevant"  # beside the other tables of a system
REMEDY = "remake it with 'ecqg evaluate'"


def first_hits(
    questions: Iterable[Question],
    rankings: Iterable[Ranking],
    matcher: AnswerMatcher,
    rows: Mapping[str, int],
    qrels: Qrels = MappingProxyType({}),
) -> NDArray[np.int64]:
    """For each question the 1-based rank of the first passage with an answer; 0 where none has.

    Of a question without answers it is the first passage that `qrels` have as relevant. `rows`
    gives the row of a passage id in the collection that `matcher` reads. Rankings of questions that
    are not asked are left aside.
    """
    retrieved = {ranking.question_id: ranking.passage_ids for ranking in rankings}

    def rank(question: Question) -> int:
        found = retrieved.get(question.id, ())
        if question.answers:
            # Looked up one by one, as most questions have an answer in the first few passages.
            return matcher.first_hit(question.answers, map(rows.__getitem__, found))
        of = qrels.get(question.id, {})
        return next((rank for rank, i in enumerate(found, 1) if of.get(i, 0) > 0), 0)

    return np.array([*map(rank, questions)], np.int64)


def hits(ranks: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """Which questions have an answer among their top k; `ranks` as `first_hits` gives them."""
    return (ranks > 0) & (ranks <= k)


def top_k_accuracy(ranks: NDArray[np.int64], k: int) -> float:
    """The percentage of questions with an answer among their top k. Raises ValueError on none."""
    if not len(ranks):
        raise ValueError("no questions")
    return 100 * int(hits(ranks, k).sum()) / len(ranks)


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
    rows = read_frame(path, HEADER, {"rank": _rank}, REMEDY)
    return Ranks(tuple(rows["id"]), tuple(rows["question"]), rows["rank"].to_numpy(np.int64))


def write_relevant(path: str | Path, found: Iterable[tuple[str, str, int]]) -> None:
    """Write question, passage and rank of the relevant passages that a run has, by question."""
    write_table(path, RELEVANT, found)


def read_relevant(path: str | Path) -> list[Ranking]:
    """What `write_relevant` wrote, as rankings in which only the relevant passages have names.

    Raises InputError naming file and line.
    """
    found: dict[str, dict[int, str]] = {}
    for row in read_table(path, RELEVANT, {"rank": _found_rank}, REMEDY):
        found.setdefault(row["id"], {})[row["rank"]] = row["passage"]
    rankings = []
    for question, names in found.items():
        # An id has no white space: these are no passage's.
        passages = tuple(names.get(rank, f"\t{rank}") for rank in range(1, max(names) + 1))
        scores = tuple(-float(i) for i in range(len(passages)))
        rankings.append(Ranking(question, passages, scores))
    return rankings


def _rank(cell: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", cell):
        raise ValueError(cell)
    return int(cell)


def _found_rank(cell: str) -> int:
    if not (rank := _rank(cell)):
        raise ValueError(cell)
    return rank
