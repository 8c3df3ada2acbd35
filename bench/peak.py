"""The most memory that a command and all that it starts held at once, and how long it took.

    python bench/peak.py ecqg repro

Looks once a second, so that a shorter peak may be missed. A page that n processes share counts as
1/n in each (the kernel's proportional set size; Linux): what `ecqg repro` forks has PyTorch in
common, which the sum of resident memory would count once a process.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress

import psutil

MIB = 2**20


def main() -> int:
    """Run it, print the peak and what held it; the command's exit status."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    since = time.monotonic()
    peak, resident, holders = 0.0, 0.0, list[tuple[float, str]]()
    with subprocess.Popen(sys.argv[1:]) as process:
        family = psutil.Process(process.pid)
        while process.poll() is None:
            time.sleep(1)
            found, whole = list[tuple[float, str]](), 0.0
            with suppress(psutil.NoSuchProcess):
                for member in (family, *family.children(recursive=True)):
                    with suppress(psutil.NoSuchProcess):  # one may end meanwhile
                        memory, name = member.memory_full_info(), " ".join(member.cmdline())
                        found.append((memory.pss / MIB, name))
                        whole += memory.rss / MIB
            if (now := sum(size for size, _ in found)) > peak:
                peak, resident, holders = now, whole, found
    seconds = round(time.monotonic() - since)
    print(f"{seconds // 60}:{seconds % 60:02} minutes")
    print(f"peak {peak:,.0f} MiB (resident, shared pages in each process: {resident:,.0f}):")
    for size, name in sorted(holders, reverse=True):
        print(f"  {size:6,.0f}  {name[:100]}")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
