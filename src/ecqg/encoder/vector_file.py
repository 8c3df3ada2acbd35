"""A collection's vectors while they are computed: a memory map, and checksums of the rows done."""

from __future__ import annotations

import time
import zlib
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from ecqg.columns import map_npy
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.space import allocate

VECTORS = "vectors.npy"
CHECKED = 8192  # vectors at a time
SECONDS = 5.0  # between two times that vectors are sent to disk: so much work a kill can undo


class VectorFile:
    """Floats [rows, hidden], written in any order of rows, by this start or an earlier one.

    `VECTORS` is whole when all of `done.npy` is not 0: it has a checksum of each vector that is on
    disk. A row whose vector has another one is not done.
    """

    def __init__(
        self, folder: Path, rows: int, hidden: int, precision: Literal["fp32", "fp16"]
    ) -> None:
        """Resume the file that a killed start left in `folder`, or begin a new one there.

        "fp16" rounds the vectors: half the bytes, 11 bits of each number. Raises InputError where
        what was left is damaged, or the disk has no room for all.
        """
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / VECTORS
        done = folder / "done.npy"
        if not done.is_file():
            dtype = np.float32 if precision == "fp32" else np.float16
            _new(path, dtype, (rows, hidden))
            with atomic(done) as aside:
                _new(aside, np.uint32, (rows,))
        remedy = f"delete the folder {folder}"
        kinds = (np.float32, np.float16)
        self._vectors = map_npy(path, kinds, 2, remedy=remedy, mode="r+")
        self._done = map_npy(done, [np.uint32], 1, remedy=remedy, mode="r+")
        if self._vectors.shape != (rows, hidden) or self._done.shape != (rows,):
            raise InputError(f"not of {rows:,} rows", file=path, remedy=remedy)
        there = np.flatnonzero(self._done)
        for begin in range(0, len(there), CHECKED):
            some = there[begin : begin + CHECKED]
            self._done[some] *= self._done[some] == _checksums(self._vectors[some])
        self._unsaved: list[NDArray[np.int64]] = []
        self._saved = time.monotonic()

    @property
    def done(self) -> int:
        """How many rows are done."""
        return int(np.count_nonzero(self._done))

    def lacks(self, rows: NDArray[np.int64]) -> bool:
        """Whether any of `rows` is not done."""
        return not self._done[rows].all()

    def write(self, rows: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Take the vectors of `rows`, [n, hidden]."""
        self._vectors[rows] = vectors
        self._unsaved.append(rows)
        if time.monotonic() - self._saved >= SECONDS:
            self.save()

    def save(self) -> None:
        """Send what was written to disk, then count it as done."""
        self._vectors.flush()
        for rows in self._unsaved:
            self._done[rows] = _checksums(self._vectors[rows])
        self._done.flush()
        self._unsaved.clear()
        self._saved = time.monotonic()


def read_vectors(
    path: str | Path, made_by: str, passages: int | None = None
) -> np.memmap[Any, Any]:
    """Passage vectors [passages, hidden], float32 or float16, mapped.

    Raises InputError where the file is missing, not as long as its header says, or of another
    number of passages.
    """
    vectors = map_npy(path, (np.float32, np.float16), 2, remedy=f"make it with '{made_by}'")
    if passages is not None and len(vectors) != passages:
        what = f"{len(vectors)} vectors for {passages} passages"
        raise InputError(what, file=path, remedy=f"make it again with '{made_by}'")
    return vectors


def _checksums(vectors: NDArray[Any]) -> NDArray[np.uint32]:
    """Of each vector, not 0."""
    return np.array([zlib.crc32(vector) or 1 for vector in vectors], np.uint32)


def _new(path: Path, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    """A NumPy file of zeros that has its place on the disk."""
    open_memmap(path, "w+", dtype, shape).flush()  # sparse
    with path.open("r+b") as file:
        allocate(file, path.stat().st_size, path.parent)
