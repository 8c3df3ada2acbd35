"""Passages of a data folder, and where their sentences begin.

spaCy's statistical segmenter (`senter`): it knows abbreviations ("St. Mary", "U.S.") that rules
on full stops trip over, and it needs a millisecond a passage where the parser needs several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ecqg.corpus.lines import count_lines
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage
from ecqg.corpus.spacy_model import load_spacy
from ecqg.errors import InputError
from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.processes import in_blocks, processors
from ecqg.progress import track
from ecqg.shards import stream_blocks

# Not the parameter entities.model: another NER pipeline must not move the sentences, nor need it
# have a segmenter.
MODEL = "en_core_web_sm"
BATCH = 256  # fixed, so that the same passages always meet in one batch of the segmenter
# spaCy forgets the words of a zone at its end; it would keep gigabytes of them at 21M passages.
ZONE = 8 * BATCH
FEW = 4  # so many zones are not worth the start of processes


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

    `prefix` is put before every id, so that ids of several folders stay apart. A `resume_dir`
    retains sentence boundaries (`stream_blocks`). Raises InputError as `passage_file` and
    `read_passage_file` do.
    """
    path = passage_file(folder)
    total = max(count_lines(path) - 1, 0)  # a line each, below the header

    texts = (entry.text for entry in read_passage_file(path))
    segmented = stream_blocks(
        resume_dir, texts, ZONE, lambda rest: map(list, split_sentences(rest))
    )
    tracked = track(read_passage_file(path), f"Passages of {folder}", total=total, unit="passage")
    for row, (entry, found) in enumerate(zip(tracked, segmented, strict=True)):
        yield Passage(row, prefix + entry.id, entry.title, entry.text, tuple(found))


def split_sentences(texts: Iterable[str], workers: int | None = None) -> Iterator[tuple[int, ...]]:
    """For each text, in order, the character offsets at which sentences begin; the first is 0.

    Many texts are cut in `workers` processes, by default as many as there are processors. Raises
    InputError where the model is not installed.
    """
    zones = in_blocks(texts, ZONE)
    few = list(islice(zones, FEW + 1))
    if len(few) <= FEW:
        return chain.from_iterable(map(segment, few))
    found = run(Segment(), chain(few, zones), workers or processors(), first=0)
    return chain.from_iterable(found)


@dataclass(frozen=True)
class Segment(Task[list[str], list[tuple[int, ...]]]):
    """`segment`; the pipeline is loaded with the first zone."""

    def start(self) -> Callable[[list[str]], list[tuple[int, ...]]]:
        """Nothing is loaded yet."""
        return segment

    def name(self, block: list[str]) -> str:
        """By its first text."""
        return f"{len(block)} texts from {block[0][:80]!r} on"


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    """This process's."""
    return load_spacy(MODEL, enable=["senter"])


def segment(zone: Sequence[str]) -> list[tuple[int, ...]]:
    """Sentence starts of ZONE texts, or of the last few, as `split_sentences` gives them."""
    nlp = _segmenter()
    with nlp.memory_zone():
        return [_starts(document) for document in nlp.pipe(zone, batch_size=BATCH)]


def _starts(document: Any) -> tuple[int, ...]:
    """Starts of sentences, less those of fragments without a word, such as a lone bracket."""
    worded = (s for s in document.sents if any(token.text[0].isalnum() for token in s))
    return (0, *(sentence.start_char for sentence in islice(worded, 1, None)))
