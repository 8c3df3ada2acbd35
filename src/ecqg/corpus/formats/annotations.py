"""The annotations of overlap with training (Lewis et al. 2020), checked against the questions.

nq-annotations.jsonl and the like have {"id": 0, "labels": ["total", "no_answer_overlap", ...]} a
line, the id being the 0-based line of the question in DPR's file nq-test.qa.csv (other files of
the same questions need not have its order); see read_annotations, read_references and get_scores
in evaluate.py of github.com/facebookresearch/QA-Overlap. As there, all questions must be annotated
and no others: an annotation says nothing of which question it is about but the line, so that a
file of another size would be silently wrong.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecqg.corpus.formats.records import listing, objects
from ecqg.corpus.overlap import check_labels
from ecqg.errors import InputError


def read_annotations(path: Path, questions: int) -> Iterator[dict[str, Any]]:
    """Read the annotations of a test set of so many questions, in the file's order.

    Raises InputError naming file and line.
    """
    seen: set[int] = set()
    remedy = "take the annotations of that test set, and all of its questions in their order"
    for line, record in objects(path):
        number = record.get("id")
        labels = listing(record.get("labels"), file=path, line=line, name='"labels"')
        check_labels(labels, path, line)
        if type(number) is not int or not 0 <= number < questions or number in seen:
            what = f"the id {reprlib.repr(number)}, among {questions} questions"
            raise InputError(what, file=path, line=line, remedy=remedy)
        seen.add(number)
        yield {"id": number, "labels": labels}
    if len(seen) != questions:
        what = f"{len(seen)} annotations for {questions} questions"
        raise InputError(what, file=path, remedy=remedy)
