"""The parts of a test set that training does not give away, by name: ecqg.corpus.overlap."""

from __future__ import annotations

SUBSETS = ("no_answer_overlap", "no_question_overlap")
LABELS = {*SUBSETS, "total", "question_overlap", "answer_overlap", "answer_overlap_only"}
