"""Score each synthetic question with its own passage, by the selecting system (SIGIR sec. 2.3)."""

from __future__ import annotations

import json
from typing import BinaryIO

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.score import score_pairs
from ecqg.files import read_jsonl, write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.synthesis.records import GENERATED, read_generated


def run(params: Params, name: Questions) -> None:
    """Write {id, score} for each generated question, in their order."""
    collection = paths.collection() / PASSAGES
    passages = Passages(collection)
    generated = paths.generated(name)
    records = read_generated(generated, passages.rows_by_id())
    rows = np.fromiter((record["row"] for record in records), np.int64)
    retriever, settings = paths.retriever(params.select.system), params.encoder
    inputs = [retriever, collection, generated]
    with (
        resumable(__name__, f"score-{name}", inputs, settings) as resume_dir,
        generated.open("rb") as file,
    ):
        questions = _Questions(file)
        scores = score_pairs(retriever, questions, rows, passages, settings, resume_dir)
        scored = (
            {"id": question["id"], "score": float(score)}
            for question, score in zip(read_jsonl(generated, GENERATED), scores, strict=True)
        )
        write_jsonl(paths.scored(name), scored)


class _Questions:
    """The questions of a JSONL file, each read where it is used: 8 bytes of memory a question."""

    def __init__(self, file: BinaryIO) -> None:
        lengths = np.fromiter(map(len, file), np.int64)
        self._file, self._begins = file, np.cumsum(lengths) - lengths

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, place: int) -> str:
        self._file.seek(self._begins[place])
        return str(json.loads(self._file.readline())["question"])
