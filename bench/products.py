"""Matrix products of the default's shapes: OpenBLAS's AVX2 kernel, and its bytes by AVX-512.

    python bench/products.py [--rounds N]

One thread, as a stage of `ecqg repro`. Each shape is of 24 products in turn, so that their operands
are in no cache of the core, as in training. "AVX-512 alone" sums in order, its bytes are others:
it is what the edges cost beside. What differs in bytes ends the program.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from ecqg import numerics

# (n, k) @ (k, m): layers of the encoder forwards, and of its weights' gradient; the generator's.
SHAPES = (
    *((1792, 192, 192), (1792, 192, 768), (1792, 768, 192), (192, 1792, 192), (768, 1792, 192)),
    *((2400, 256, 256), (2400, 256, 1024), (256, 2400, 1024), (2400, 256, 4000)),
)
TURNS = 24


def main() -> None:
    """Print GFLOP/s of each way and shape, and how many times as fast AVX-512 is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    numerics.fix()  # before the library is loaded that it is about
    import numpy as np

    from ecqg.training import avx512

    alone = avx512.load()
    if alone is None:
        sys.exit("no AVX-512, or nothing gained by it")
    print(f"{'n, k, m':>18} {'AVX2':>8} {'its bytes by AVX-512':>22} {'AVX-512 alone':>14}")
    draw = np.random.Generator(np.random.PCG64(1)).standard_normal
    for n, k, m in SHAPES:
        turns = [
            (draw((n, k), np.float32), draw((k, m), np.float32), np.empty((n, m), np.float32))
            for _ in range(TURNS)
        ]
        for left, right, out in turns:
            assert avx512.write_product(left, right, out)
            assert np.array_equal(out, left @ right)
        ways = (lambda *of: np.matmul(of[0], of[1], out=of[2]), avx512.write_product, alone)
        work = 2 * n * k * m * TURNS / 1e9
        rates = [[work / seconds(way, turns) for way in ways] for _ in range(rounds)]
        times = [by / own for own, by, _ in rates]
        own, by, most = (statistics.median(column) for column in zip(*rates, strict=True))
        ratio = f"{statistics.median(times):.2f} ({min(times):.2f}..{max(times):.2f}) times"
        print(f"{f'{n}, {k}, {m}':>18} {own:>8.0f} {by:>5.0f}, {ratio} {most:>11.0f}", flush=True)


def seconds(way: Callable[..., object], turns: Sequence[Sequence[Any]]) -> float:
    """Of one product of each."""
    since = time.perf_counter()
    for turn in turns:
        way(*turn)
    return time.perf_counter() - since


if __name__ == "__main__":
    main()
