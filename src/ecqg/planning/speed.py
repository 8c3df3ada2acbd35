"""How fast this machine is at either kind of work, in a few seconds, one thread each."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 2.0  # of each measurement
REPEATS = 3  # of which the best counts: others may be at work here


def measure() -> dict[str, float]:
    """Rates by kind: multiplications a second in matrix products, texts tokenized a second."""
    return {"model": _best(_products()), "text": _best(_texts())}


def _best(work: Callable[[], float]) -> float:
    rates = []
    for _ in range(REPEATS):
        begin, done = time.perf_counter(), 0.0
        while (elapsed := time.perf_counter() - begin) < SECONDS / REPEATS:
            done += work()
        rates.append(done / elapsed)
    return max(rates)


def _products() -> Callable[[], float]:
    import torch

    from ecqg.training.device import pick_device

    device = pick_device()
    left = torch.full((1024, 256), 0.5, device=device)
    right = torch.full((256, 1024), 0.5, device=device)

    def work() -> float:
        total = left @ right
        if device.type == "cuda":
            total.sum().item()
        return 1024.0 * 256 * 1024

    return work


def _texts() -> Callable[[], float]:
    from ecqg.evaluation.answers import tokens

    text = "The brewery was founded by Ada Moss in 1852, and stands in Wick to this day. " * 8

    def work() -> float:
        tokens(text)
        return 1.0

    return work
