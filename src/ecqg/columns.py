"""Numbers on disk, checked before they are mapped into memory.

Columns grow block by block, for work that may be stopped between two blocks. Each is a flat file of
one dtype. A block counts once all of it is on disk; what a stopped process had begun to write
behind it is dropped by the next one. A checksum of what counts tells damage.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Collection, Mapping
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ecqg.errors import InputError
from ecqg.files import read_as, write_json

BLOCK = 2**20  # bytes
Counts = dict[str, tuple[int, int]]  # column -> entries, checksum
# What np.save writes of a plain array, and no more of what the format allows.
_NPY = re.compile(
    rb"\x93NUMPY\x01\x00(?s:(..))\{'descr': '([<|][bfu][0-9])', 'fortran_order': False, "
    rb"'shape': \(([0-9]{1,15}),(?: ([0-9]{1,15}))?\), \} *\n"
)


class Columns:
    """Columns in a folder, which is made if need be; entries are appended, and read as a map.

    Raises InputError where a column is not as it was written.
    """

    def __init__(self, folder: Path, dtypes: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._dtypes = {name: np.dtype(dtype) for name, dtype in dtypes.items()}
        self._counts = folder / "counts.json"
        counts: Counts = dict.fromkeys(dtypes, (0, 0))
        remedy = f"delete the folder {folder}"
        if self._counts.is_file():
            counts = read_as(self._counts, Counts, "is damaged", remedy)
        if counts.keys() != self._dtypes.keys():
            raise InputError("is damaged", file=self._counts, remedy=remedy)
        for name, (length, checksum) in counts.items():
            size = length * self._dtypes[name].itemsize
            if (size or checksum) and _crc32(folder / name, size) != checksum:
                raise InputError("is damaged", file=folder / name, remedy=remedy)
            with (folder / name).open("ab") as file:
                file.truncate(size)
        self.lengths = {name: length for name, (length, _) in counts.items()}  # by column
        self._checksums = {name: checksum for name, (_, checksum) in counts.items()}

    def append(self, **block: NDArray[Any]) -> None:
        """Write entries, of the dtype of their column, behind those that are there."""
        for name, entries in block.items():
            if entries.dtype != self._dtypes[name]:
                raise TypeError(f"{entries.dtype} for {name}, which is {self._dtypes[name]}")
            data = np.ascontiguousarray(entries).data
            with (self._folder / name).open("ab") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._checksums[name] = zlib.crc32(data, self._checksums[name])
        self.lengths = {name: n + len(block.get(name, ())) for name, n in self.lengths.items()}
        write_json(self._counts, {n: [self.lengths[n], self._checksums[n]] for n in self.lengths})

    def read(self, name: str) -> NDArray[Any]:
        """A column as it is now, memory-mapped and read-only."""
        if not self.lengths[name]:
            return np.empty(0, self._dtypes[name])  # a map cannot be empty
        path, length = self._folder / name, self.lengths[name]
        return np.memmap(path, self._dtypes[name], "r", shape=(length,))


def _crc32(path: Path, size: int) -> int | None:
    """The checksum of the first `size` bytes of a file; None where it has not so many."""
    checksum = 0
    try:
        with path.open("rb") as file:
            if not 0 <= size <= os.fstat(file.fileno()).st_size:
                return None
            while size and (block := file.read(min(BLOCK, size))):
                checksum, size = zlib.crc32(block, checksum), size - len(block)
    except OSError:
        return None
    return checksum


def map_npy(
    path: str | Path,
    dtypes: Collection[Any],
    dimensions: int,
    *,
    remedy: str,
    mode: Literal["r", "r+"] = "r",
) -> np.memmap[Any, Any]:
    """Map a .npy file of an array of one of `dtypes` that is not empty.

    Raises InputError where there is none, or its size is not that of its shape.
    """
    try:
        with Path(path).open("rb") as file:
            begin = file.read(256)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(what, file=path, remedy=remedy) from None
    header = _NPY.match(begin)
    if header is None or header.end() != 10 + int.from_bytes(header[1], "little"):
        raise InputError("no .npy file of numbers", file=path, remedy=remedy)
    shape = tuple(int(length) for length in header.groups()[2:] if length is not None)
    name = header[2].decode()
    if name not in {np.dtype(dtype).str for dtype in dtypes} or len(shape) != dimensions:
        what = f"an array of {name} in {len(shape)} dimensions"
        raise InputError(what, file=path, remedy=remedy)
    dtype = np.dtype(name)
    if (wanted := header.end() + prod(shape) * dtype.itemsize) != size or not prod(shape):
        what = f"{size:,} bytes where an array of shape {shape} takes {wanted:,}"
        raise InputError(what, file=path, remedy=remedy)
    return np.memmap(path, dtype, mode, header.end(), shape)
