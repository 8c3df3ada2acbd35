"""JSON lines about generated questions, a line each: the fields that are read of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.files import read_jsonl

NUMBER = int | float
GENERATED = {"id": str, "passage_id": str, "row": int, "question": str, "answer": str}
READ = {"id": str, "answer": str, "start": int, "confidence": NUMBER}
FILTERED = {**GENERATED, "reader_answer": str}  # what the reader answers, right or not
SCORED = {"id": str, "score": NUMBER}


def read_generated(
    path: Path, rows: Mapping[str, int], fields: Mapping[str, Any] = GENERATED
) -> Iterator[dict[str, Any]]:
    """Generated questions, each of a passage that is there; `rows` are the collection's by id.

    Raises InputError naming file and line.
    """
    for line, record in enumerate(read_jsonl(path, fields), 1):
        if rows.get(record["passage_id"]) != record["row"]:
            what = f"passage {record['passage_id']} is not the collection's of row {record['row']}"
            raise InputError(what, file=path, line=line, remedy="make it again with 'dvc repro'")
        yield record


def read_aligned(fields: Mapping[Path, Mapping[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """Rows of several files, side by side, that must hold the same ids in the same order.

    Each file has these `fields` (`read_jsonl`). Raises InputError naming file and line where they
    do not.
    """
    files = (read_jsonl(path, of) for path, of in fields.items())
    for line, rows in enumerate(zip_longest(*files, fillvalue={}), 1):
        ids = [row.get("id") for row in rows]
        for path, name in zip(fields, ids, strict=True):
            if name is None or name != ids[0]:
                wanted = next((i for i in ids if i is not None), None)
                what = f"question {name!r} where {wanted!r} belongs"
                remedy = "run the stage that writes it again ('dvc repro')"
                raise InputError(what, file=path, line=line, remedy=remedy)
        yield rows
