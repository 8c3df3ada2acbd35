"""Top-k accuracy: the share of questions for which at least one of the top k passages contains an
answer string.

The papers' "top-k accuracy" (SIGIR tab. 3), DPR's "top-k retrieval accuracy", what others call
success at k or hit rate at k; it is not recall, since how many passages hold an answer plays no
part. It follows from the rank of the first passage with an answer, which is what we keep per
question. A question without results, or with too few, is a failure; it is never left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking


def first_hits(
    questions: Iterable[Question],
    rankings: Iterable[Ranking],
    matcher: AnswerMatcher,
    rows: Mapping[str, int],
) -> NDArray[np.int64]:
    """For each question the 1-based rank of the first passage with an answer; 0 where none has.

    `rows` gives the row of a passage id in the collection that `matcher` reads. Rankings of
    questions that are not asked are left aside.
    """
    retrieved = {ranking.question_id: ranking.passage_ids for ranking in rankings}
    ranks = [
        matcher.first_hit(question.answers, (rows[i] for i in retrieved.get(question.id, ())))
        for question in questions
    ]
    return np.array(ranks, np.int64)


def hits(ranks: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """Which questions have an answer among their top k; `ranks` as `first_hits` gives them."""
    return (ranks > 0) & (ranks <= k)


def top_k_accuracy(ranks: NDArray[np.int64], k: int) -> float:
    """The percentage of questions with an answer among their top k. Raises ValueError on none."""
    if not len(ranks):
        raise ValueError("no questions")
    return 100 * int(hits(ranks, k).sum()) / len(ranks)
