"""Search over passage vectors against FAISS and what the machine allows; what approximations miss.

    python bench/search.py [--passages 200000] [--hidden 384] [--questions 1024] [--rounds 5]

The vectors are random, around as many centres as there are passages by 100, and lie in a file that
is memory-mapped, as those of stage `encode`. Exact search must find what a matrix product in double
precision and a full sort find. FAISS's IndexFlatIP, which holds the vectors in memory, takes turns
with it, with FAISS's own settings. The floor is the matrix product alone in float32, its result
thrown away, by NumPy's or torch's library, whichever is faster; or one pass over the vectors (a
product with a single question) where that takes longer.

The second table is of approximate indexes: their recall against exact search, as stage `retrieve`
writes it, time per question, and the peak memory of a process that builds and searches one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.search.index import FLAT, Index, recall
from ecqg.search.library import faiss
from ecqg.seeds import numpy_rng
from side_by_side import alternate, measure, table

DEPTH = 100
PRODUCT = 2**22  # cells of one matrix product, questions x passages: what is written stays near
INDEXES = (
    "IVF{lists},Flat nprobe=8",
    "IVF{lists},Flat nprobe=32",
    "HNSW32 efSearch=128",
    "IVF{lists},PQ48 nprobe=32",
    "PQ48",
)
Vectors = NDArray[np.float32]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--hidden", type=int, default=384)
    parser.add_argument("--questions", type=int, default=1_024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--approximate", type=int, default=50_000, help="passages of that table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file, queries = Path(scratch) / "vectors.npy", Path(scratch) / "queries.npy"
        write(file, queries, options.passages, options.hidden, options.questions)
        print(f"{options.passages:,} passages of {options.hidden} dimensions, depth {DEPTH}\n")
        print(exact(file, queries, options.rounds), "\n")
        write(file, queries, options.approximate, options.hidden, options.questions)
        print(f"{options.approximate:,} passages\n")
        print(approximate(file, queries))


def write(file: Path, queries_file: Path, passages: int, hidden: int, questions: int) -> None:
    """Clustered vectors, as those of texts are, and questions near some of them."""
    rng = numpy_rng(1, "bench")
    centres = rng.standard_normal((max(1, passages // 100), hidden), np.float32)
    out = np.lib.format.open_memmap(file, mode="w+", dtype=np.float32, shape=(passages, hidden))
    for start in range(0, passages, 65_536):
        block = out[start : start + 65_536]
        near = centres[rng.integers(len(centres), size=len(block))]
        block[:] = near + rng.standard_normal(block.shape, np.float32)
    chosen = np.sort(rng.choice(passages, questions))
    np.save(queries_file, out[chosen] + rng.standard_normal((questions, hidden), np.float32))
    out.flush()


def exact(file: Path, queries_file: Path, rounds: int) -> str:
    """Markdown; ends the program where exact search is not exact."""
    import torch  # not above: the processes that try approximate indexes are without it

    vectors, queries = np.load(file, mmap_mode="r"), np.load(queries_file)
    index = Index(vectors, FLAT, 1)
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(np.asarray(vectors))
    check(index, vectors, queries[:32])
    agree(index, flat, queries)

    def ours() -> float:
        for _ in index.search(queries, DEPTH):
            pass
        return len(queries)

    step = max(1, PRODUCT // len(queries))
    asked = torch.from_numpy(queries)
    blocks = [np.asarray(vectors[i : i + step]) for i in range(0, len(vectors), step)]  # views

    default = 128_000  # what FAISS 1.15 starts with

    def theirs() -> float:
        ours_from = faiss.cvar.distance_compute_blas_threshold
        faiss.cvar.distance_compute_blas_threshold = default
        flat.search(queries, DEPTH)
        faiss.cvar.distance_compute_blas_threshold = ours_from
        return len(queries)

    def with_numpy() -> float:
        for block in blocks:
            queries @ block.T
        return len(queries)

    def with_torch() -> float:
        for block in blocks:
            asked @ torch.from_numpy(block).T
        return len(queries)

    def one_pass() -> float:
        vectors @ queries[0]
        return len(queries)

    with_numpy()
    floors = {"numpy": with_numpy, "torch": with_torch, "pass": one_pass}
    rates = alternate({"ours": ours, "FAISS IndexFlatIP": theirs, **floors}, rounds)
    medians = {name: float(np.median(rates.pop(name))) for name in floors}
    library = max(("numpy", "torch"), key=medians.__getitem__)
    rate, flops = medians[library], 2e-9 * vectors.size * medians[library]
    name = f"matrix product by {library}, {flops:.0f} GFLOP/s"
    if medians["pass"] < rate:
        rate = medians["pass"]
        name = f"one pass over the vectors, {vectors.nbytes * rate / len(queries) / 1e9:.1f} GB/s"
    return table(rates, "questions/s", floor=(name, rate))


def agree(index: Index, flat: faiss.IndexFlatIP, queries: Vectors) -> None:
    """Every question's scores are IndexFlatIP's, place by place."""
    expected, _ = flat.search(queries, DEPTH)
    for scores, (_, found) in zip(expected, index.search(queries, DEPTH), strict=True):
        if not np.allclose(scores, found, rtol=1e-5):
            sys.exit("exact search and IndexFlatIP differ")


def check(index: Index, vectors: Vectors, queries: Vectors) -> None:
    """Against products in double precision, all of them sorted."""
    products = queries.astype(np.float64) @ vectors.astype(np.float64).T
    best = -np.sort(-products, axis=1)[:, :DEPTH]
    for row, (_, scores) in zip(best, index.search(queries, DEPTH), strict=True):
        if not np.allclose(row, scores, rtol=1e-6):
            sys.exit("exact search is not exact")


def approximate(file: Path, queries_file: Path) -> str:
    """Markdown: recall, time and memory of each index."""
    lists = max(16, round(4 * len(np.load(file, mmap_mode="r")) ** 0.5))
    lines: list[str] = []
    for spec in (FLAT, *(spec.format(lists=lists) for spec in INDEXES)):
        found = measure(try_index, file, queries_file, spec)
        recalls, build, search = found.result
        if not lines:
            head = ["index", *recalls, "ms per question", "s to build", "private MiB"]
            lines += [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        row = [spec, *(f"{value:.1f}" for value in recalls.values())]
        row += [f"{1000 * search:.3g}", f"{build:.1f}", f"{found.private:,.0f}"]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def try_index(file: Path, queries_file: Path, spec: str) -> tuple[dict[str, float], float, float]:
    """Recall in percent; seconds to build; seconds to search for a question."""
    vectors, queries = np.load(file, mmap_mode="r"), np.load(queries_file)
    since = time.perf_counter()
    index = Index(vectors, spec, 1)
    build = time.perf_counter() - since
    since = time.perf_counter()
    for _ in index.search(queries, DEPTH):
        pass
    seconds = (time.perf_counter() - since) / len(queries)
    return recall(index, Index(vectors, FLAT, 1), queries, DEPTH), build, seconds


if __name__ == "__main__":
    main()
