"""The baseline's score of each synthetic question with its own passage (SIGIR sec. 2.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.encoder.score import score_pairs
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Params


def run(params: Params, kind: str) -> None:
    """Write {id, score} for each generated question, in their order."""
    passages = Passages(paths.collection() / "passages.arrow")
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
    scores = score_pairs(paths.retriever("baseline"), questions, rows, passages, params.encoder)
    records = ({"id": i, "score": float(s)} for i, s in zip(ids, scores, strict=True))
    write_jsonl(paths.scored(kind), records)
