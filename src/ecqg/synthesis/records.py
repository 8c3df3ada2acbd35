"""What JSON lines about generated questions hold, a line each: the fields that are read of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.files import read_jsonl

NUMBER = int | float
GENERATED = {"id": str, "passage_id": str, "row": int, "question": str, "answer": str}
READ = {"id": str, "answer": str, "start": int, "confidence": NUMBER}
SCORED = {"id": str, "score": NUMBER}


def read_generated(path: Path, rows: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Generated questions, each of a passage that is there; `rows` are the collection's by id.

    Raises InputError naming file and line.
    """
    for line, record in enumerate(read_jsonl(path, GENERATED), 1):
        if rows.get(record["passage_id"]) != record["row"]:
            raise InputError(
                f"passage {record['passage_id']} is not the collection's of row {record['row']}",
                file=path,
                line=line,
                remedy="make it again with 'dvc repro'",
            )
        yield record
