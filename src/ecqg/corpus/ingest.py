"""From a folder's passages.tsv to passages with sentence boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import tee
from pathlib import Path

from ecqg.corpus.lines import count_lines
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage
from ecqg.corpus.sentences import split_sentences
from ecqg.progress import track

PASSAGES = "passages.tsv"


def ingest_passages(folder: str | Path, prefix: str = "") -> Iterator[Passage]:
    """Read and segment the passages of a data folder as a stream, in the file's order.

    `prefix` is put before every id, so that ids of several folders stay apart. Raises InputError
    as `read_passage_file` does.
    """
    path = Path(folder) / PASSAGES
    # The two ends of the tee are one zone of the segmenter apart.
    entries, ahead = tee(read_passage_file(path))
    starts = split_sentences(entry.text for entry in ahead)
    total = max(count_lines(path) - 1, 0)
    segmented = zip(entries, starts, strict=True)
    tracked = track(segmented, f"Passages of {folder}", total=total, unit="passage")
    for row, (entry, sentence_starts) in enumerate(tracked):
        yield Passage(row, prefix + entry.id, entry.title, entry.text, sentence_starts)
