"""From a folder's passages.tsv to passages with sentence boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ecqg.corpus.lines import count_lines
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage
from ecqg.corpus.sentences import ZONE, split_sentences
from ecqg.errors import InputError
from ecqg.progress import track
from ecqg.shards import stream_blocks


def passage_file(folder: str | Path) -> Path:
    """The passages of a data folder. Raises InputError where there are none."""
    path = Path(folder) / "passages.tsv"
    if not path.is_file():
        raise InputError("no such file", file=path, remedy="see docs/data.md for its format")
    return path


def ingest_passages(
    folder: str | Path, prefix: str = "", *, resume_dir: Path | None = None
) -> Iterator[Passage]:
    """Read and segment the passages of a data folder as a stream, in the file's order.

    `prefix` is put before every id, so that ids of several folders stay apart. Sentence boundaries
    are kept in the folder `resume_dir`, where there is one (`stream_blocks`). Raises InputError as
    `passage_file` and `read_passage_file` do.
    """
    path = passage_file(folder)
    total = max(count_lines(path) - 1, 0)  # a line each, below the header

    def starts_after(done: int) -> Iterator[list[int]]:
        texts = (entry.text for entry in islice(read_passage_file(path), done, None))
        return map(list, split_sentences(texts))

    segmented = stream_blocks(resume_dir, total, ZONE, starts_after)
    tracked = track(read_passage_file(path), f"Passages of {folder}", total=total, unit="passage")
    for row, (entry, found) in enumerate(zip(tracked, segmented, strict=True)):
        yield Passage(row, prefix + entry.id, entry.title, entry.text, tuple(found))
