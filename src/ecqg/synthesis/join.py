"""Files that hold one row per generated question, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.files import read_jsonl


def read_aligned(fields: Mapping[Path, Mapping[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """Rows of several JSON-lines files that must hold the same ids in the same order.

    Each file has these `fields` (`read_jsonl`). Raises InputError naming file and line where they
    do not.
    """
    paths = list(fields)
    files = (read_jsonl(path, fields[path]) for path in paths)
    for number, rows in enumerate(zip_longest(*files), 1):
        ids = [None if row is None else row.get("id") for row in rows]
        for path, found in zip(paths, ids, strict=True):
            if found is None or found != ids[0]:
                wanted = next((i for i in ids if i is not None), None)
                raise InputError(
                    f"question {found!r} where {wanted!r} belongs",
                    file=path,
                    line=number,
                    remedy="run the stage that writes it again ('dvc repro')",
                )
        yield tuple(row for row in rows if row is not None)
