"""The baseline's score of each synthetic question with its own passage (SIGIR sec. 2.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.encoder.score import score_pairs
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, kind: str) -> None:
    """Write {id, score} for each generated question, in their order."""
    collection = paths.collection() / "passages.arrow"
    passages = Passages(collection)
    row_of = passages.rows_by_id()
    generated = paths.generated(kind)
    ids, questions, rows = [], [], []
    for line, record in enumerate(read_jsonl(generated), 1):
        try:
            rows.append(row_of[record["passage_id"]])
            ids.append(record["id"])
            questions.append(record["question"])
        except KeyError as error:
            raise InputError(
                f"field or passage {error} is not known",
                file=generated,
                line=line,
                remedy=f"make it again with 'ecqg generate {kind}'",
            ) from None
    retriever = paths.retriever("baseline")
    if not retriever.is_dir():
        raise InputError("no such folder", file=retriever, remedy="make it with 'ecqg baseline'")
    with resumable(f"score-{kind}", [retriever, collection, generated], params.encoder) as folder:
        scores = score_pairs(retriever, questions, rows, passages, params.encoder, folder)
        records = ({"id": i, "score": float(s)} for i, s in zip(ids, scores, strict=True))
        write_jsonl(paths.scored(kind), records)
