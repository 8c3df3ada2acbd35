"""A collection's vectors while they are computed: a memory map, and a map of the rows done."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.lib.format import open_memmap

from ecqg.files import atomic

SECONDS = 5.0  # between two times that vectors are sent to disk: so much work a kill can undo


class VectorFile:
    """Floats [rows, hidden], written in any order of rows, by this start or an earlier one.

    `vectors.npy` is whole when all of `done.npy` is true. A row counts as done only after its
    vector is on disk, so that no kill can leave a row that is done and wrong.
    """

    def __init__(
        self, folder: Path, rows: int, hidden: int, precision: Literal["fp32", "fp16"]
    ) -> None:
        """Go on with the file that a killed start left in `folder`, or begin a new one there.

        "fp16" rounds the vectors: half the bytes, 11 bits of each number.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "vectors.npy"
        done = folder / "done.npy"
        if not done.is_file():
            dtype = np.float32 if precision == "fp32" else np.float16
            open_memmap(self.path, "w+", dtype, (rows, hidden)).flush()
            with atomic(done) as aside:
                open_memmap(aside, "w+", np.bool_, (rows,)).flush()
        self._vectors = open_memmap(self.path, "r+")
        self._done = open_memmap(done, "r+")
        self._unsaved: list[np.ndarray[Any, np.dtype[np.int64]]] = []
        self._saved = time.monotonic()

    def lacks(self, rows: np.ndarray[Any, np.dtype[np.int64]]) -> bool:
        """Whether any of `rows` is not done."""
        return not self._done[rows].all()

    def write(
        self,
        rows: np.ndarray[Any, np.dtype[np.int64]],
        vectors: np.ndarray[Any, np.dtype[np.float32]],
    ) -> None:
        """Take the vectors of `rows`, [n, hidden]."""
        self._vectors[rows] = vectors
        self._unsaved.append(rows)
        if time.monotonic() - self._saved >= SECONDS:
            self.save()

    def save(self) -> None:
        """Send what was written to disk, then count it as done."""
        self._vectors.flush()
        for rows in self._unsaved:
            self._done[rows] = True
        self._done.flush()
        self._unsaved.clear()
        self._saved = time.monotonic()
