"""The annotations of overlap with training (Lewis et al. 2020), checked against the questions.

nq-annotations.jsonl and the like have {"id": 0, "labels": ["total", "no_answer_overlap", ...]} a
line, the id being the 0-based line of the question in DPR's file nq-test.qa.csv (other files of
the same questions need not have its order); see read_annotations, read_references and get_scores
in evaluate.py of github.com/facebookresearch/QA-Overlap. As there, all questions must be annotated
and no others: an annotation says nothing of which question it is about but the line, so that a
file of another size would be silently wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from ecqg.corpus.overlap import check_annotations
from ecqg.errors import InputError


def read_annotations(path: Path, questions: int) -> Iterator[dict[str, Any]]:
    """Read the annotations of a test set of so many questions, in the file's order.

    Raises InputError naming file and line.
    """
    count = 0
    for found in check_annotations(path, questions):
        count += 1
        yield to_builtins(found)
    if count != questions:
        remedy = "take the annotations of that test set, and all of its questions in their order"
        what = f"{count} annotations for {questions} questions"
        raise InputError(what, file=path, remedy=remedy)
