"""Let the reader answer the synthetic questions of one generator from their own passages."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Params
from ecqg.reading import model
from ecqg.reading.predict import features, predict


def run(params: Params, item: str) -> None:
    """Write {id, answer, start, confidence, null_margin} per question of generator `item`."""
    reader, calibration = model.load(paths.READER)
    passages = Passages(paths.collection() / "passages.arrow")
    rows = passages.rows_by_id()
    questions = list(read_jsonl(paths.generated(item)))
    pairs = [(str(q["question"]), passages[rows[q["passage_id"]]].text) for q in questions]
    predictions = predict(reader, pairs, f"read {item}")
    confidence = calibration.confidence(features(predictions))
    write_jsonl(
        paths.read(item),
        (
            {
                "id": q["id"],
                "answer": p.answer,
                "start": p.start,
                "confidence": float(c),
                "null_margin": p.null_margin,
            }
            for q, p, c in zip(questions, predictions, confidence, strict=True)
        ),
    )
