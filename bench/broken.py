"""Does `ecqg verify` refuse a run that is broken on purpose?

    python bench/broken.py STUDY [--ways labels filter]

In a copy of a finished STUDY (a clone in which `make repro` ran) one input of a stage is spoiled,
or its code, the stages of one system that follow run again, and `ecqg verify` must end with status
1. With `labels` DPR is trained on gold questions each of which has the passages of another one;
with `filter` the filters retain what they should reject, and Mixed-DPR is pre-trained on that. Ends
with 1 where a broken run passes, or the whole one does not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory

from same_bytes import read_lock


def shuffle_labels(root: Path) -> None:
    """Give each gold question the passages of another one, negatives with them."""
    file = root / "data/negatives/gold/main/train.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    labels = [{key: record[key] for key in ("positives", "negatives")} for record in records]
    random.Random(1).shuffle(labels)
    replace(file, [{**record, **label} for record, label in zip(records, labels, strict=True)])


def invert_filter(root: Path) -> None:
    """Have the filters retain what they should reject."""
    file = root / "src/ecqg/synthesis/filter.py"
    text = file.read_text(encoding="utf-8")
    for condition in ('"reader" not in wanted\n        or (', "if c.score <= cut]"):
        assert condition in text
    text = text.replace("        or (\n", "        or not (\n").replace(
        "c.score <= cut", "c.score >= cut"
    )
    file.write_text(text, encoding="utf-8")


def replace(file: Path, records: list[dict[str, object]]) -> None:
    """Write JSON lines in the place of a file that may be shared with DVC's cache."""
    file.unlink()
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


MEASURED = ("encode@{}-*", "retrieve@{}-*", "evaluate@{}-*", "attention@{}", "judge", "headline")
WAYS: dict[str, tuple[Callable[[Path], None], str, tuple[str, ...]]] = {
    "labels": (shuffle_labels, "dpr", ("finetune@dpr",)),
    "filter": (
        invert_filter,
        "mixed",
        (
            "filter@conditioned",
            "training-sets",
            "negatives-synthetic@mixed",
            "pretrain@mixed",
            "finetune@mixed",
        ),
    ),
}


def main() -> None:
    """Print a line of verdict for the run and for each way of breaking it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("study", type=Path, help="a finished study's folder")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    options = parser.parse_args()
    wrong = verify("as it is", options.study) != 0
    for way in options.ways:
        spoil, system, first = WAYS[way]
        with TemporaryDirectory(prefix="broken-") as folder:
            root = Path(folder) / "study"
            skipped = shutil.ignore_patterns(".venv", "cache", "__pycache__")
            shutil.copytree(options.study, root, symlinks=True, ignore=skipped)
            spoil(root)
            lock = read_lock(root / "dvc.lock")
            for pattern in (*first, *(p.format(system) for p in MEASURED)):
                for name in lock:
                    if fnmatch(name, pattern):
                        run(root, name, lock[name]["cmd"])
            commit(root)
            wrong |= verify(way, root) != 1
    sys.exit(wrong)


def run(root: Path, stage: str, command: str) -> None:
    """A stage, of the package that lies in the study."""
    environment = {**os.environ, "DVC_STAGE": stage, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(
        command, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{stage}: {done.stderr[-2000:]}")
    print(f"  {stage}", flush=True)


def commit(root: Path) -> None:
    """Have dvc.lock state what lies there, or `ecqg verify` would call it stale."""
    command = [sys.executable, "-m", "dvc", "commit", "--force", "--quiet"]
    subprocess.run(command, cwd=root, check=True)


def verify(what: str, root: Path) -> int:
    """Status of `ecqg verify`, whose first lines are printed."""
    command = [sys.executable, "-m", "ecqg", "verify"]
    environment = {**os.environ, "PYTHONPATH": str(root.resolve() / "src")}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    said = (done.stdout + done.stderr).strip().split("\n\n")[0]
    print(f"{what}: status {done.returncode}: {' '.join(said.split())[:600]}", flush=True)
    return done.returncode


if __name__ == "__main__":
    main()
