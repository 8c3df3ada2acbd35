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
from ecqg.evaluation.runs import Ranking, read_run, run_file
from ecqg.files import atomic
from ecqg.progress import track


def export_dpr(system: str, test_set: str, collection: str, out: Path, depth: int) -> None:
    """Write the run of `system` on a test set of `collection` to `out`, one question a line.

    Each has its first `depth` passages; one without results has none. Raises InputError where
    there is no such run.
    """
    folder = paths.collection(collection)
    source = run_file(paths.runs(system, collection), test_set)
    if not source.is_file():
        known = ", ".join(sorted(p.stem for p in source.parent.glob("*.trec"))) or "none"
        raise InputError("no such run", file=source, remedy=f"retrieved so far: {known}")
    questions = read_questions(folder / "questions" / f"{test_set}.qa.tsv")
    passages = Passages(folder / "passages.arrow")
    rows = passages.rows_by_id()
    rankings = {ranking.question_id: ranking for ranking in read_run(source, rows)}
    records = _records(questions, rankings, passages, rows, depth)
    with atomic(out) as aside, aside.open("w", encoding="utf-8", newline="\n") as file:
        file.write("[")
        bar = track(records, f"export {system}", total=len(questions), unit="question")
        for number, record in enumerate(bar):
            file.write(("," if number else "") + "\n" + json.dumps(record, ensure_ascii=False))
        file.write("\n]\n")


def _records(
    questions: Iterable[Question],
    rankings: Mapping[str, Ranking],
    passages: Passages,
    rows: Mapping[str, int],
    depth: int,
) -> Iterator[dict[str, Any]]:
    matcher = AnswerMatcher(passages)
    for question in questions:
        ranking = rankings.get(question.id, Ranking(question.id, (), ()))
        ids = ranking.passage_ids[:depth]
        held = matcher.decide(question.answers, [rows[i] for i in ids])
        contexts = []
        for passage_id, score, has_answer in zip(ids, ranking.scores, held, strict=False):
            passage = passages[rows[passage_id]]
            context = {"id": passage_id, "title": passage.title, "text": passage.text}
            contexts.append(context | {"score": str(score), "has_answer": has_answer})
        yield {"question": question.text, "answers": list(question.answers), "ctxs": contexts}
