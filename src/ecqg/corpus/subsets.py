"""The parts of a test set that training does not give away, by name: ecqg.corpus.overlap."""

from __future__ import annotations

from typing import Literal, get_args

SUBSETS = ("no_answer_overlap", "no_question_overlap")
Label = Literal[
    "no_answer_overlap",
    "no_question_overlap",
    "total",
    "question_overlap",
    "answer_overlap",
    "answer_overlap_only",
]
LABELS = get_args(Label)
