"""How fast the machine multiplies matrices: what the floors of the benches are made of."""

from __future__ import annotations

import time

import torch

ROUNDS = 20


def matrix_rate(
    rows: int, hidden: int, wide: int, device: torch.device, dtype: torch.dtype = torch.float32
) -> float:
    """Operations a second in products of [rows, hidden] and [hidden, wide], the best of ROUNDS."""
    left = torch.randn(rows, hidden, dtype=dtype, device=device)
    right = torch.randn(hidden, wide, dtype=dtype, device=device)
    out = torch.empty(rows, wide, dtype=dtype, device=device)
    seconds = []
    for _ in range(ROUNDS):
        since = time.perf_counter()
        torch.mm(left, right, out=out)
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - since)
    return 2 * rows * hidden * wide / min(seconds)
