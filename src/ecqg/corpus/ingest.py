"""From a folder's passages.tsv to passages with sentence boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg.corpus.lines import count_lines
from ecqg.corpus.passage_file import Entry, read_passage_file
from ecqg.corpus.passages import Passage
from ecqg.corpus.sentences import ZONE, Segmenter
from ecqg.errors import InputError
from ecqg.progress import track
from ecqg.shards import blocks_in_shards


def passage_file(folder: str | Path) -> Path:
    """The passages of a data folder. Raises InputError where there are none."""
    path = Path(folder) / "passages.tsv"
    if not path.is_file():
        raise InputError("no such file", file=path, remedy="see docs/data.md for its format")
    return path


def ingest_passages(
    folder: str | Path, prefix: str = "", *, kept: Path | None = None
) -> Iterator[Passage]:
    """Read and segment the passages of a data folder as a stream, in the file's order.

    `prefix` is put before every id, so that ids of several folders stay apart. Sentence boundaries
    are kept in the folder `kept`, where there is one (`blocks_in_shards`). Raises InputError as
    `passage_file` and `read_passage_file` do.
    """
    path = passage_file(folder)
    segment = Segmenter()

    def starts(zone: list[Entry]) -> list[list[int]]:
        return [list(found) for found in segment([entry.text for entry in zone])]

    segmented = blocks_in_shards(kept, read_passage_file(path), ZONE, starts)
    total = max(count_lines(path) - 1, 0)
    tracked = track(segmented, f"Passages of {folder}", total=total, unit="passage")
    for row, (entry, found) in enumerate(tracked):
        yield Passage(row, prefix + entry.id, entry.title, entry.text, tuple(found))
