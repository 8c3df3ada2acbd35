"""Run `dvc repro` and say how long each stage took, and how large its largest process became.

    python bench/stage_times.py [arguments of dvc repro]

What dvc prints is passed through. Times are appended to .cache/ecqg/stage_times.csv as the stages
end, so that a run which was stopped and resumed has them all; the table at the end shows every
stage's latest one.
"""

from __future__ import annotations

import csv
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

TIMES = Path(".cache/ecqg/stage_times.csv")
STARTED = re.compile(rb"Running stage '([^']+)'")
ENDED = re.compile(rb"(Generating|Updating) lock file")


def run(arguments: list[str]) -> int:
    """Run dvc, recording times; its exit code."""
    TIMES.parent.mkdir(parents=True, exist_ok=True)
    command = ["dvc", "repro", *arguments]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
        TIMES.open("a", newline="") as out,
    ):
        assert process.stdout is not None
        stage, since = "", 0.0
        for line in iter(process.stdout.readline, b""):
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
            if found := STARTED.search(line):
                stage, since = found.group(1).decode(), time.monotonic()
            elif stage and ENDED.search(line):
                csv.writer(out).writerow([stage, f"{time.monotonic() - since:.1f}"])
                out.flush()
                stage = ""
    return process.returncode


def table() -> str:
    """Markdown: stage and seconds, in the order of the run, and the sum."""
    with TIMES.open(newline="") as lines:
        latest = {stage: float(seconds) for stage, seconds in csv.reader(lines)}
    rows = [f"| {stage} | {seconds:.0f} |" for stage, seconds in latest.items()]
    total = sum(latest.values())
    return "\n".join(["| stage | seconds |", "|---|---|", *rows, f"| all | {total:.0f} |"])


if __name__ == "__main__":
    code = run(sys.argv[1:])
    print(table())
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"largest process of this run: {largest:.2f} GiB")
    sys.exit(code)
