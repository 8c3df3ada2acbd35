"""Read a folder's reading examples for a phase of the reader's training."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.reading import read_reading, write_reading
from ecqg.errors import InputError
from ecqg.items import Name
from ecqg.params import Params


def run(params: Params, name: Name) -> None:
    """Write paths.reading_set(name), the folder's squad-train.json checked."""
    if name not in params.reading_sets:
        raise InputError(
            f"reading_sets has no {name}", file="params.yaml", remedy="add 'name: folder' there"
        )
    folder = Path(params.reading_sets[name])
    write_reading(paths.reading_set(name), read_reading(folder / "squad-train.json"))
