"""Let the reader answer the synthetic questions of a question set from their own passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.processes import in_blocks
from ecqg.reading import model
from ecqg.reading.calibrate import features
from ecqg.reading.predict import predict
from ecqg.resume import resumable
from ecqg.synthesis.records import read_generated

BLOCK = 4096  # questions read together; bounds memory, and what is tokenized at once


def run(params: Params, name: Questions) -> None:
    """Write {id, answer, start, confidence, null_margin} per question of the question set."""
    reader, calibration = model.load(paths.READER)
    collection, generated = paths.collection() / PASSAGES, paths.generated(name)
    passages = Passages(collection)
    rows = passages.rows_by_id()

    def answers(folder: Path) -> Iterator[dict[str, Any]]:
        questions = read_generated(generated, rows)
        for number, block in enumerate(in_blocks(questions, BLOCK)):
            pairs = [(q["question"], passages[q["row"]].text) for q in block]
            part = folder / f"{number:06d}"
            predictions = predict(reader, pairs, f"read {name}", part, paths.READER)
            confidence = calibration.confidence(features(predictions))
            for q, p, c in zip(block, predictions, confidence, strict=True):
                yield {
                    "id": q["id"],
                    "answer": p.answer,
                    "start": p.start,
                    "confidence": float(c),
                    "null_margin": p.null_margin,
                }

    with resumable(__name__, f"read-{name}", [paths.READER, collection, generated]) as folder:
        write_jsonl(paths.read(name), answers(folder))
