"""What `dvc repro` and `ecqg repro` do around the stages, by the number of stages.

    python bench/repro.py [--stages 30 140] [--runs 3]

The stages of a made-up pipeline do nothing, one after the other. Each declares 13 dependencies and
an output; in the default study it is 7 and 2, and parameters. Both commands run them one at a
time, in turns, each time anew; dvc.lock must come out the same. What the commands need to start is
included.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ruamel.yaml import YAML

from side_by_side import ratios, spread

COMMANDS = {"ecqg": ["ecqg", "repro", "--jobs", "1"], "dvc": ["dvc", "repro", "--quiet"]}
FILES = 12  # dependencies of a stage beside the one before it


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stages", type=int, nargs="+", default=[30, 140])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["DVC_NO_ANALYTICS"] = "1"
    print("| stages | ecqg repro, ms per stage | dvc repro, ms per stage | dvc repro is |")
    print("|---|---|---|---|")
    for count in options.stages:
        found = measure(count, options.runs)
        row = [f"{count}", *(spread(found[name]) for name in COMMANDS)]
        slower = spread(ratios(found["dvc"], found["ecqg"]))
        print(f"| {' | '.join(row)} | {slower} times as slow |")


def measure(count: int, runs: int) -> dict[str, list[float]]:
    """Milliseconds per stage of every run, by command."""
    found: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        prepare(count)
        for _ in range(runs):
            locks = []
            for name, command in COMMANDS.items():
                Path("dvc.lock").unlink(missing_ok=True)
                shutil.rmtree(".dvc/cache", ignore_errors=True)
                since = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                found[name].append((time.perf_counter() - since) * 1000 / count)
                locks.append(YAML(typ="safe").load(Path("dvc.lock")))
            if locks[0] != locks[1]:
                sys.exit("the two wrote different dvc.lock files")
    return found


def prepare(count: int) -> None:
    """A chain of stages in the working directory."""
    subprocess.run(["dvc", "init", "--no-scm", "--quiet"], check=True)
    shared = [f"shared/{i}" for i in range(FILES)]
    Path("shared").mkdir()
    for name in shared:
        Path(name).write_text(name)
    Path("out0").write_text("0")
    stages = {
        f"stage{i}": {
            "cmd": f"echo {i} > out{i}",
            "deps": [*shared, f"out{i - 1}"],
            "outs": [f"out{i}"],
        }
        for i in range(1, count + 1)
    }
    YAML().dump({"stages": stages}, Path("dvc.yaml"))


if __name__ == "__main__":
    main()
