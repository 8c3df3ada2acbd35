"""Rate of matrix products in fp32 and bf16 on this processor, and which of them is taken for bf16.

    python bench/precision.py [--rounds N]
    ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 MKL_ENABLE_INSTRUCTIONS=AVX2 \\
        python bench/precision.py

The second command computes as a processor does that has no more than AVX2. One thread, as a stage
of `ecqg repro` on two cores; the shapes are those of the default's generator.
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

from ecqg.training.device import product_dtype

SHAPES = ((3072, 256, 256), (3072, 256, 512), (256, 3072, 512), (416, 256, 4000))  # m, k, n
DTYPES = (torch.float32, torch.bfloat16)


def main() -> None:
    """Print GFLOP/s of each type, their ratio, and the type that precision bf16 computes in."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    operands = {
        dtype: [(torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)) for m, k, n in SHAPES]
        for dtype in DTYPES
    }
    work = sum(2 * m * k * n for m, k, n in SHAPES) / 1e9
    for dtype in DTYPES:
        multiply(operands[dtype])  # kernels are compiled at their first use
    rates: dict[torch.dtype, list[float]] = {dtype: [] for dtype in DTYPES}
    for _ in range(rounds):
        for dtype in DTYPES:
            rates[dtype].append(work / multiply(operands[dtype]))
    for dtype in DTYPES:
        low, middle, high = min(rates[dtype]), statistics.median(rates[dtype]), max(rates[dtype])
        print(f"{dtype}: {middle:.3g} ({low:.3g}..{high:.3g}) GFLOP/s")
    ratios = [b / a for a, b in zip(*(rates[dtype] for dtype in DTYPES), strict=True)]
    low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
    print(f"bf16 at {middle:.3g} ({low:.3g}..{high:.3g}) times the rate of fp32")
    print(f"precision bf16 computes in {product_dtype(torch.device('cpu'), 'bf16')}")


def multiply(pairs: list[tuple[torch.Tensor, torch.Tensor]]) -> float:
    """Seconds of one product of each pair."""
    since = time.perf_counter()
    for a, b in pairs:
        a @ b
    return time.perf_counter() - since


if __name__ == "__main__":
    main()
