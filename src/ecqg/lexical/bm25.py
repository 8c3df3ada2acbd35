"""BM25 by Pyserini: Lucene's, with Anserini's English analyzer (Porter stemmer, stop words).

Passages are indexed with Pyserini's `LuceneIndexer`. Searches call `SimpleSearcher`, the class of
Anserini that Pyserini's `LuceneSearcher` wraps, directly: importing the wrapper imports torch and
builds an OpenAI client, which costs more time than the search itself. A test compares the two.
"""

from __future__ import annotations

import fcntl
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import Passage, Passages
from ecqg.errors import InputError
from ecqg.files import atomic, remove
from ecqg.lexical.hits import Hits
from ecqg.lexical.java import engine, java_class
from ecqg.pace import Pace
from ecqg.processes import in_blocks, threads
from ecqg.progress import track
from ecqg.resume import digest, resumable

INDEX_BLOCK = 1_000  # passages given to Java at a time
INDEX_BUFFER = 64.0  # megabytes of postings that are held before they are written
SEARCH_BLOCK = 100  # questions searched at a time, and whose results are held


class BM25:
    """A searcher over a Lucene index made by `lucene_index`.

    Raises InputError for a negative `k1` and for a `b` outside of 0 to 1.
    """

    def __init__(self, index: Path, *, k1: float, b: float) -> None:
        if not (0 <= k1 < math.inf and 0 <= b <= 1):
            remedy = "bm25.k1 must be 0 or more, bm25.b from 0 to 1"
            raise InputError(f"BM25 with k1 {k1} and b {b}", remedy=remedy)
        # A question of more than 1,024 different words is no error here.
        java_class("org.apache.lucene.search.IndexSearcher").setMaxClauseCount(2**31 - 1)
        self._searcher = _open(index)
        self._searcher.set_bm25(k1, b)
        self._mapper = _mapper()

    def search(self, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        """For each question, as a bag of words, the best `depth` passages that share a word.

        Scores are Pyserini's: rounded to four digits, and lowered by 0.000001 and more where they
        are equal. Passages of equal BM25 are in the order of the collection.
        """
        strings = java_class("java.util.ArrayList")
        for start in range(0, len(questions), SEARCH_BLOCK):
            texts, keys = strings(), strings()
            block = questions[start : start + SEARCH_BLOCK]
            for key, text in enumerate(block):
                texts.add(text)
                keys.add(str(key))
            results = self._searcher.batch_search(texts, keys, depth, threads())
            by_key = json.loads(self._mapper.writeValueAsString(results))
            for key in range(len(block)):
                hits = by_key[str(key)]
                rows = np.array([int(hit["docid"]) for hit in hits], np.int64)
                yield rows, np.array([hit["score"] for hit in hits], np.float32)


def lucene_index(passages_file: Path) -> Path:
    """The folder of an index over a passage store, made if it is not there.

    It is scratch under the digest of what it was made from: its bytes differ from build to build,
    results do not. k1 and b belong to searching, not to the index. A killed build is resumed.
    """
    folder = paths.LUCENE / digest([passages_file], engine())
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # stages side by side: one makes it, the others wait
        if not folder.is_dir():
            work = f"index-{passages_file.parent.name}"
            inputs = [passages_file]
            with resumable(__name__, work, inputs, engine()) as resume_dir, atomic(folder) as aside:
                _build(resume_dir / "lucene", Passages(passages_file))
                (resume_dir / "lucene").rename(aside)
    return folder


def _build(folder: Path, passages: Passages) -> None:
    """Index the passages that the folder lacks; now and then it is what was indexed so far."""
    java_class("java.lang.String")  # the machine must run before Pyserini is imported
    from pyserini.index.lucene import LuceneIndexer

    # One thread: documents keep the order of the collection, and the index is the same each time.
    indexer = LuceneIndexer(_java_path(folder), append=folder.is_dir(), threads=1)
    fields = java_class("org.apache.commons.lang3.reflect.FieldUtils")
    writer = fields.readField(indexer.object, "writer", True)
    # Anserini has it hold 2 GB, whatever it is told: memory would grow with the collection.
    writer.getConfig().setRAMBufferSizeMB(INDEX_BUFFER)
    done = int(writer.getDocStats().numDocs)
    rest = islice(passages, done, None)
    bar = track(rest, "index passages", total=len(passages), done=done, unit="passage")
    pace = Pace()
    for block in _blocks(bar):
        indexer.add_batch_dict(block)
        done += len(block)
        if pace.due():
            with pace.writing():
                _check(int(writer.getDocStats().numDocs), done, folder)
                writer.commit()
    indexer.close()
    _check(_passages_in(folder), len(passages), folder)


def _passages_in(index: Path) -> int:
    from jnius import JavaException

    with suppress(JavaException):  # it ended before there was an index
        return int(_open(index).get_total_num_docs())
    return 0


def _check(indexed: int, given: int, folder: Path) -> None:
    """Anserini swallows what goes wrong, such as a full disk."""
    if indexed != given:
        remove(folder)
        raise InputError(
            f"Lucene indexed {indexed} of {given} passages, most often because the disk is full",
            file=folder,
            remedy="make room and start again",
        )


def _blocks(passages: Iterable[Passage]) -> Iterator[list[dict[str, str]]]:
    """Documents as Pyserini's DPR passages are: the title, a line feed, the text.

    Lucene's document id is the row with leading zeros, because Anserini breaks ties by it as text.
    """
    documents = ({"id": f"{p.row:010d}", "contents": f"{p.title}\n{p.text}"} for p in passages)
    return in_blocks(documents, INDEX_BLOCK)


def _open(index: Path) -> Any:
    return java_class("io.anserini.search.SimpleSearcher")(_java_path(index))


def _mapper() -> Any:
    """Writes a block's hits as one JSON string, without the documents that Lucene adds to them.

    To ask for each hit's fields through pyjnius takes longer than to search. What JSON says of a
    Java float reads back as the same float32.
    """
    mapper = java_class("com.fasterxml.jackson.databind.ObjectMapper")()
    documents = java_class("java.lang.Class").forName("org.apache.lucene.document.Document")
    mapper.configOverride(documents).setIsIgnoredType(java_class("java.lang.Boolean")(True))
    return mapper


def _java_path(path: Path) -> str:
    """Absolute, since Java keeps to the working directory that it was started in."""
    return str(path.resolve())
