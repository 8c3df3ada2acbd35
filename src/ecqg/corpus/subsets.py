"""The parts of a test set that training does not give away, by name: ecqg.corpus.overlap."""

from __future__ import annotations

from typing import Literal, get_args

Subset = Literal["no_answer_overlap", "no_question_overlap"]
Label = Literal[Subset, "total", "question_overlap", "answer_overlap", "answer_overlap_only"]
SUBSETS: tuple[str, ...] = get_args(Subset)
LABELS: tuple[str, ...] = get_args(Label)
