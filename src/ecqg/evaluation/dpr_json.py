"""A run as DPR's retrieval JSON, so that anyone's evaluator and reader can take it from here.

The layout is what DPR's dense_retriever.py saves: an array of {question, answers, ctxs}, each
context {id, title, text, score, has_answer}, scores as strings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import Question, read_questions
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking, read_run
from ecqg.files import atomic
from ecqg.progress import track


def dpr_records(
    questions: Iterable[Question],
    rankings: Iterable[Ranking],
    passages: Passages,
    rows: Mapping[str, int],
    depth: int,
) -> Iterator[dict[str, Any]]:
    """One record a question, with its first `depth` passages; a question without results has []."""
    matcher = AnswerMatcher(passages)
    retrieved = {r.question_id: list(zip(r.passage_ids, r.scores, strict=True)) for r in rankings}
    for question in questions:
        contexts = []
        best = retrieved.get(question.id, [])[:depth]
        held = matcher.decide(question.answers, [rows[passage_id] for passage_id, _ in best])
        for (passage_id, score), has_answer in zip(best, held, strict=True):
            passage = passages[rows[passage_id]]
            contexts.append(
                {
                    "id": passage_id,
                    "title": passage.title,
                    "text": passage.text,
                    "score": str(score),
                    "has_answer": has_answer,
                }
            )
        yield {"question": question.text, "answers": list(question.answers), "ctxs": contexts}


def write_dpr_json(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    """Write records as one JSON array, one record a line, as a stream."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for number, record in enumerate(records):
            out.write(("," if number else "") + "\n" + json.dumps(record, ensure_ascii=False))
        out.write("\n]\n")


def export_dpr(system: str, test_set: str, collection: str, out: Path, depth: int) -> None:
    """Write the run of `system` on a test set of `collection` to `out`.

    Raises InputError where there is no such run.
    """
    folder = paths.collection(collection)
    run_file = paths.runs(system, collection) / f"{test_set}.trec"
    if not run_file.is_file():
        known = ", ".join(sorted(p.stem for p in run_file.parent.glob("*.trec"))) or "none"
        raise InputError("no such run", file=run_file, remedy=f"retrieved so far: {known}")
    questions = read_questions(folder / "questions" / f"{test_set}.qa.tsv")
    passages = Passages(folder / "passages.arrow")
    rows = passages.rows_by_id()
    records = dpr_records(questions, read_run(run_file, rows), passages, rows, depth)
    write_dpr_json(out, track(records, f"export {system}", total=len(questions), unit="question"))
