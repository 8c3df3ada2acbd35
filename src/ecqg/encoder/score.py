"""Scores of questions with their own passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ecqg.encoder.encode import Encoding, Rows
from ecqg.encoder.model import PASSAGE, QUESTION, score_factor
from ecqg.encoder.tokens import Titled
from ecqg.files import remove
from ecqg.params import Encoder
from ecqg.shards import map_blocks

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

WINDOW = 8192  # distinct passages encoded together with all questions about them


def score_pairs(
    retriever: Path,
    questions: SupportsLenAndGetItem[str],
    rows: Sequence[int] | Rows,
    passages: Sequence[Titled],
    settings: Encoder,
    folder: Path | None = None,
) -> NDArray[np.float32]:
    """The score of question i with `passages[rows[i]]`, float32 [n]; each passage encoded once.

    Memory holds the texts of a window, and some 50 bytes a question: `questions` may be on a disk.
    A stopped call is resumed from `folder`, where there is one (`map_blocks`).
    """
    question_encoder = Encoding(retriever / QUESTION, settings)
    passage_encoder = Encoding(retriever / PASSAGE, settings)
    scores = np.empty(len(questions), np.float32)
    distinct, places = np.unique(np.asarray(rows, np.int64), return_inverse=True)
    order = np.argsort(places, kind="stable")
    factor = score_factor(settings.score_scale, passage_encoder.hidden)
    windows = range(0, len(distinct), WINDOW)

    def members(begin: int) -> Rows:
        """The questions about the passages of a window."""
        first, last = np.searchsorted(places, (begin, begin + WINDOW), sorter=order)
        return order[first:last]

    def score(begin: int) -> list[float]:
        own, window = members(begin), distinct[begin : begin + WINDOW]
        about, texts = [passages[int(row)] for row in window], [questions[int(i)] for i in own]
        passage_vectors = passage_encoder.passages(about, scratch(begin, PASSAGE))
        question_vectors = question_encoder.questions(texts, scratch(begin, QUESTION))
        pairs = question_vectors * passage_vectors[places[own] - begin]
        return (pairs.sum(axis=1) * factor).tolist()  # type: ignore[no-any-return]

    def scratch(begin: int, half: str = "") -> Path | None:
        """A window's vectors on their way, which are needed until its scores are there."""
        return folder and folder / f"vectors-{begin}" / half

    for begin, of_window in zip(windows, map_blocks(folder, windows, score), strict=True):
        scores[members(begin)] = of_window
        if vectors := scratch(begin):
            remove(vectors)
    return scores
