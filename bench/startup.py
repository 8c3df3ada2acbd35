"""How long it takes until a stage does its own work.

    python bench/startup.py [--runs 5] [--imports 12]

Each command runs in a process of its own, in a folder with params.yaml and a collection of four
passages: `ecqg --help`; stages without torch, up to the first input that they miss; stages that
load other large libraries; stages with torch on tiny random models, to their end. "Forked" is the
same command as `ecqg repro` runs it, by a fork of a server that has imported. Below stand the
imports that take longest in the last command, each without what it imports itself.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ecqg import paths, profiles
from ecqg.numerics import fix
from ecqg.params import load_params
from ecqg.pipeline.forks import DVC, forked_commands, log_file
from side_by_side import spread

HELP = ["--help"]
WITHOUT_TORCH = [
    ["collection", "main"],
    ["select", "conditioned"],
    ["training-sets"],
    ["evaluate", "bm25", "main"],
    ["lexical", "tfidf", "main"],
    ["report"],
]
# Java, and spaCy's pipeline with the recognition of four passages
OTHERS = [["lexical", "bm25", "main"], ["entities"]]
WITH_TORCH = [["entity-attention"], ["generate", "conditioned"]]
TARGETS = {"--help": 0.4}
TARGETS |= {" ".join(c): 1.0 for c in WITHOUT_TORCH} | {" ".join(c): 4.0 for c in WITH_TORCH}
TEXT = "Clara Moss built a mill in Wick. It burned in 1702."
LINE = re.compile(r"import time:\s*(\d+) \|\s*\d+ \| +(\S+)")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--imports", type=int, default=12)
    options = parser.parse_args()
    fix()  # in the environment of what is started
    commands = [HELP, *WITHOUT_TORCH, *OTHERS, *WITH_TORCH]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with contextlib.chdir(folder):
            prepare()
        seconds: dict[str, list[float]] = {" ".join(c): [] for c in commands}
        worked: dict[str, list[float]] = {shown: [] for shown in seconds}
        forked: dict[str, list[float]] = {shown: [] for shown in seconds}
        with forked_commands(1), contextlib.chdir(folder):
            log_file("startup").parent.mkdir(parents=True)
            for run in range(options.runs + 1):
                for command in commands:
                    since, before = time.perf_counter(), processor()
                    start(folder, command)
                    between, used = time.perf_counter(), processor() - before
                    fork(folder, command)
                    if run:  # the first only warms the file cache
                        seconds[" ".join(command)].append(between - since)
                        worked[" ".join(command)].append(used)
                        forked[" ".join(command)].append(time.perf_counter() - between)
        print("| command | seconds | of processor | target | forked |\n|---|---|---|---|---|")
        for command in commands:
            shown = " ".join(command)
            row = [f"ecqg {shown}", spread(seconds[shown]), spread(worked[shown])]
            target = TARGETS.get(shown)
            row += [
                "" if target is None else f"{target:g}",
                spread(forked[shown]),
            ]
            print(f"| {' | '.join(row)} |")
        report = start(folder, commands[-1], "-X", "importtime").stderr
    slowest = sorted(((int(us), name) for us, name in LINE.findall(report)), reverse=True)
    total = sum(us for us, _ in slowest)
    print(f"\n{len(slowest):,} imports, {total / 1e6:.2f} s while they are timed:\n")
    print("| module | ms |\n|---|---|")
    for us, module in slowest[: options.imports]:
        print(f"| {module} | {us / 1000:.0f} |")


def processor() -> float:
    """Seconds of processor that the commands took so far, which no other program's work shifts."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare() -> None:
    """Write what the stages with torch read to the working directory."""
    # Each fork imports this file, as multiprocessing has it, but not these.
    from ecqg.attention.entities import Entity, write_entities
    from ecqg.corpus.passages import Passage, write_passages
    from ecqg.encoder.backbone import random_encoder
    from ecqg.encoder.model import PASSAGE
    from ecqg.files import write_jsonl
    from ecqg.questions.backbone import random_generator
    from ecqg.training.weights import save_model

    shutil.copy(profiles.FOLDER / "microcosm.yaml", "params.yaml")
    params = load_params()
    passages = [Passage(row, f"p{row}", "Wick", TEXT, (0, 31)) for row in range(4)]
    write_passages(paths.collection() / "passages.arrow", passages)
    spans = [(p.row, TEXT.index(name), name) for p in passages for name in ("Clara Moss", "Wick")]
    paths.ENTITIES.parent.mkdir()
    mentions = [Entity(row, at, at + len(name), "PERSON", name) for row, at, name in spans]
    write_entities(paths.ENTITIES, mentions)
    selected = ({"row": m.row, "start": m.start, "end": m.end} for m in mentions)
    write_jsonl(paths.selected("conditioned"), selected)
    small = dataclasses.replace(params.init_encoder, hidden=64, vocabulary=300)
    save_model(
        paths.retriever("dpr") / PASSAGE,
        *random_encoder(small, passages, [], 1),
    )
    tiny = dataclasses.replace(params.init_generator, hidden=64, vocabulary=300)
    save_model(paths.generator("conditioned"), *random_generator(tiny, passages, [], 1))


def start(folder: Path, command: list[str], *options: str) -> subprocess.CompletedProcess[str]:
    """Run a command; ends the program where it fails for anything but a missing input."""
    ran = subprocess.run(
        [sys.executable, *options, "-m", "ecqg", *command],
        cwd=folder,
        text=True,
        capture_output=True,
        check=False,
    )
    missing = command not in WITH_TORCH and ran.returncode == 1
    if ran.returncode and not missing:
        sys.exit(f"ecqg {' '.join(command)}:\n{ran.stderr}")
    return ran


def fork(folder: Path, command: list[str]) -> None:
    """Run a command as DVC does; what it says goes to a log."""
    from dvc.stage import run
    from dvc.stage.exceptions import StageCmdFailedError

    environment = {**os.environ, "DVC_STAGE": "startup"}
    with DVC, contextlib.suppress(StageCmdFailedError):
        run._run(None, f"ecqg {' '.join(command)}", cwd=str(folder), env=environment)


if __name__ == "__main__":
    main()
