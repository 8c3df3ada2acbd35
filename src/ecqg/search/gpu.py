"""Products of queries with vectors by torch, block by block, where a GPU does them.

What search finds so is put in order by exact products (`ecqg.search.index`), as what FAISS finds,
so that the device plays no part; counts (`above`) are up to rounding. It serves GPUs: on a CPU it
is there for tests.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.processes import in_threads
from ecqg.search.building import Stored, Vectors

BLOCK = 2**16  # vectors at a time: with 1,024 queries, 256 MiB of products


def loaded(vectors: Stored, device: torch.device) -> Iterator[tuple[int, torch.Tensor]]:
    """The vectors block by block on a device, in float32, each with its first row.

    They travel as they are stored. The next block is read, into memory that a GPU reads by itself,
    while the device works on this one.
    """

    def read(first: int) -> torch.Tensor:
        block = torch.from_numpy(np.array(vectors[first : first + BLOCK]))
        return block.pin_memory() if device.type == "cuda" else block

    firsts = range(0, len(vectors), BLOCK)
    for first, block in zip(firsts, in_threads(read, firsts, 1), strict=True):
        yield first, block.to(device, non_blocking=True).float()


@torch.inference_mode()
def nearest(
    queries: Vectors, vectors: Stored, count: int, device: torch.device
) -> NDArray[np.int64]:
    """Rows by descending inner product, but for rounding: [queries, count], fewer if fewer.

    `queries` are [queries, hidden], `vectors` [passages, hidden], memory-mapped or not.
    """
    sent = torch.from_numpy(queries).to(device)
    scores = torch.empty((len(queries), 0), device=device)
    rows = torch.empty((len(queries), 0), dtype=torch.int64, device=device)
    for first, block in loaded(vectors, device):
        found, where = (sent @ block.T).topk(min(count, len(block)))
        scores, rows = torch.cat([scores, found], 1), torch.cat([rows, where + first], 1)
        scores, best = scores.topk(min(count, scores.shape[1]))
        rows = rows.gather(1, best)
    return rows.cpu().numpy()


@torch.inference_mode()
def above(
    queries: Vectors, rows: NDArray[np.int64], vectors: Stored, device: torch.device
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Query i's product with vector `rows[i]`, and how many other vectors' products are higher.

    `queries` are [n, hidden], `rows` [n], `vectors` [passages, hidden]; both results are [n].
    """
    sent, own = torch.from_numpy(queries).to(device), torch.from_numpy(vectors[rows])
    least = (sent * own.to(device).float()).sum(1, keepdim=True)
    higher = torch.zeros(len(queries), dtype=torch.int64, device=device)
    where = torch.from_numpy(rows).to(device)
    for first, block in loaded(vectors, device):
        products = sent @ block.T
        here = ((where >= first) & (where < first + len(block))).nonzero().squeeze(1)
        products[here, where[here] - first] = -torch.inf  # rounding ranks none below itself
        higher += (products > least).sum(1)
    return least.squeeze(1).cpu().numpy(), higher.cpu().numpy()
