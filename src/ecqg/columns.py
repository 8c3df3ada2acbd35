"""Numbers on disk that grow block by block, for work that may be stopped between two blocks.

Each column is a flat file of one dtype. A block counts once all of it is on disk; what a stopped
process had begun to write behind it is dropped by the next one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.files import read_json, write_json


class Columns:
    """Columns in a folder, which is made if need be; entries are appended, and read as a map."""

    def __init__(self, folder: Path, dtypes: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._dtypes = {name: np.dtype(dtype) for name, dtype in dtypes.items()}
        self._counts = folder / "counts.json"
        self.lengths = dict.fromkeys(dtypes, 0)  # entries by column
        if self._counts.is_file():
            self.lengths = read_json(self._counts)
        for name, dtype in self._dtypes.items():
            with (folder / name).open("ab") as file:
                file.truncate(self.lengths[name] * dtype.itemsize)

    def append(self, **block: NDArray[Any]) -> None:
        """Write entries, of the dtype of their column, behind those that are there."""
        for name, entries in block.items():
            if entries.dtype != self._dtypes[name]:
                raise TypeError(f"{entries.dtype} for {name}, which is {self._dtypes[name]}")
            with (self._folder / name).open("ab") as file:
                file.write(np.ascontiguousarray(entries).data)
                file.flush()
                os.fsync(file.fileno())
        self.lengths = {name: n + len(block.get(name, ())) for name, n in self.lengths.items()}
        write_json(self._counts, self.lengths)

    def read(self, name: str) -> NDArray[Any]:
        """A column as it is now, memory-mapped and read-only."""
        if not self.lengths[name]:
            return np.empty(0, self._dtypes[name])  # a map cannot be empty
        path, length = self._folder / name, self.lengths[name]
        return np.memmap(path, self._dtypes[name], "r", shape=(length,))
