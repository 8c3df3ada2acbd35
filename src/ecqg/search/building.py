"""Approximate FAISS indexes, trained on a sample and filled from vectors that stay on disk.

What is built is written now and then to a folder, from which a build that was stopped resumes.
With one thread it ends with the index of a build that nobody stopped; with more, FAISS links the
passages of a graph (HNSW) in an order that depends on the clock, in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.errors import InputError
from ecqg.files import atomic_stamped, find_stamped
from ecqg.pace import Pace
from ecqg.progress import track
from ecqg.search.library import faiss
from ecqg.seeds import numpy_rng

Vectors = NDArray[np.float32]
Stored = NDArray[np.float32] | NDArray[np.float16]
BLOCK = 8192  # passages added, or made float32, at a time
TRAINING_SAMPLE = 262_144  # passages that clusters and quantisers are trained on, at most
FILE = "index.faiss"


def build(vectors: Stored, spec: str, seed: int, resume_dir: Path | None = None) -> Any:
    """An index of all `vectors`, [passages, hidden], memory-mapped or not.

    `spec` is a FAISS factory string, then parameters of the search ("IVF4096,PQ64 nprobe=64").
    Without a folder `resume_dir` of the same work (`ecqg.resume.resumable`) nothing is retained.
    Raises InputError where FAISS does not understand `spec` or cannot train it on these vectors,
    and for a file in the folder that is damaged.
    """
    factory, *parameters = spec.split()
    file = resume_dir / FILE if resume_dir else None
    pace = Pace()

    def write_if_due() -> None:
        if file is not None and pace.due():
            # FAISS itself would take a full disk for success.
            with pace.writing(), atomic_stamped(file) as aside, aside.open("wb") as out:
                writer = faiss.PyCallbackIOWriter(out.write)  # type: ignore[attr-defined]
                faiss.write_index(index, writer)

    left = find_stamped(file, "delete it to build the index anew") if file else None
    with _explain(spec):
        if left is not None:
            index = faiss.read_index(str(left))
            _draw_levels_again(index)
        else:
            index = faiss.index_factory(vectors.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
        if not index.is_trained:
            index.train(sample(vectors, TRAINING_SAMPLE, seed, "index"))
            write_if_due()
        _set(index, parameters)
    done = int(index.ntotal)
    rest = (block for _, block in blocks(vectors, done, BLOCK))
    for block in track(rest, "index", total=len(vectors), done=done, unit="passage", size=len):
        index.add(block)
        write_if_due()
    return index


def check_spec(spec: str, dimensions: int) -> None:
    """Raise InputError where FAISS does not understand `spec`, of an index over such vectors."""
    factory, *parameters = spec.split() or [""]
    with _explain(spec):
        _set(faiss.index_factory(dimensions, factory, faiss.METRIC_INNER_PRODUCT), parameters)


def _set(index: Any, parameters: Iterable[str]) -> None:
    space: Any = faiss.ParameterSpace()  # its type stub is wrong
    for parameter in parameters:
        space.set_index_parameters(index, parameter)


@contextmanager
def _explain(spec: str) -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        first = str(error).partition("\n")[0]
        reason = first.rpartition(".cpp:")[2].partition(": ")[2] or first
        what = f"retrieval.index is {spec!r}, which FAISS refuses ({reason})"
        remedy = "take a factory string such as 'Flat' or 'IVF64,Flat nprobe=8'"
        raise InputError(what, file="params.yaml", remedy=remedy) from None


def blocks(vectors: Stored, begin: int, size: int) -> Iterator[tuple[int, Vectors]]:
    """First row and float32 vectors of one block of `size` after the other, from row `begin` on.

    Vectors that are float32 are not copied.
    """
    for start in range(begin, len(vectors), size):
        yield start, np.ascontiguousarray(vectors[start : start + size], np.float32)


def _draw_levels_again(index: Any) -> None:
    """Bring the random numbers of a graph to where they were: FAISS does not write their state.

    One number is drawn for each passage, its level in the graph.
    """
    index = faiss.downcast_index(index)
    while inner := getattr(index, "index", None) or getattr(index, "base_index", None):
        index = faiss.downcast_index(inner)  # behind a transformation, or what refines it
    if hasattr(index, "hnsw"):
        for _ in range(index.ntotal):
            index.hnsw.random_level()


def sample(vectors: Stored, most: int, seed: int, *stream: str) -> Vectors:
    """All vectors in float32, or `most` of them at random, in row order."""
    if len(vectors) > most:
        rows = numpy_rng(seed, *stream).choice(len(vectors), most, replace=False)
        vectors = vectors[np.sort(rows)]
    return np.ascontiguousarray(vectors, np.float32)
