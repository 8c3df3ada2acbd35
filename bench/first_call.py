"""In how many processes the first call of a function, by two threads at once, computes otherwise.

    python bench/first_call.py [--processes N] [--functions tanh exp]

MKL 2024.2, which torch's wheels carry, chooses the kernel of an elementwise function at its first
call. Each process here is a fork that multiplies matrices, so that both threads are awake, and
then calls the function once; half of them call `ecqg.training.device.pick_device` before. Those
count whose result is not the one that most processes have. Ends with 1 if any that called
pick_device are among them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter

import torch

from ecqg.training.device import pick_device

FUNCTIONS = ("tanh", "exp", "log", "erf", "sqrt")
NUMBERS = 13_056  # the re-ranker's first batch: 51 pairs, 256 dimensions


def main() -> None:
    """Print a line for each function."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=4000, help="of each function")
    parser.add_argument("--functions", nargs="+", default=FUNCTIONS)
    options = parser.parse_args()
    numbers = torch.rand(NUMBERS, generator=torch.Generator().manual_seed(1)) + 0.1
    failed = False
    for function in options.functions:
        found: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}
        for number in range(options.processes):
            found[number % 2 > 0][first_call(function, numbers, number % 2 > 0)] += 1
        usual = (found[False] + found[True]).most_common(1)[0][0]
        others = {chosen: counts.total() - counts[usual] for chosen, counts in found.items()}
        print(
            f"{function}: of {found[False].total()} processes {others[False]} differ; after "
            f"pick_device {others[True]} of {found[True].total()}",
            flush=True,
        )
        failed |= others[True] > 0
    sys.exit(failed)


def first_call(function: str, numbers: torch.Tensor, chosen: bool) -> int:
    """Hash of what a new process computes, with two threads; this one must not have started any."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        torch.set_num_threads(2)
        if chosen:
            pick_device()
        for _ in range(3):
            torch.ones(300, 300) @ torch.ones(300, 300)
        result = hash(getattr(torch, function)(numbers).numpy().tobytes())
        os.write(writing, result.to_bytes(8, "little", signed=True))
        os._exit(0)
    os.close(writing)
    result = int.from_bytes(os.read(reading, 8), "little", signed=True)
    os.close(reading)
    os.waitpid(process, 0)
    return result


if __name__ == "__main__":
    main()
