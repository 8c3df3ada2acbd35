"""How long stages take to end after a signal, and what is left of them.

    python bench/stop.py [--stages "encode dpr" "negatives gold"] [--at 0.5 2 5] [--twice]

To be run in a repository in which `ecqg repro` has run. Each stage is started by hand as often as
moments are given (seconds after its start), and signalled then: SIGTERM and SIGINT in turn. A stage
that ends before is not counted. Its results are as they were: a stage writes them whole or not.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

# Those that compute with PyTorch, FAISS, Java, spaCy in processes, a tokenizer, NumPy.
STAGES = (
    "acquire", "collection main", "entities", "question-entities", "lexical tfidf main",
    "lexical bm25 main", "negatives-synthetic mixed", "init-encoder", "finetune dpr",
    "encode dpr main", "entity-attention", "attention dpr", "init-generator",
    "train-generator conditioned", "generate conditioned", "train-reader", "read conditioned",
    "score conditioned", "train-reranker", "rerank bm25 main", "retrieve dpr main",
    "evaluate dpr main", "entity-scores dpr", "vocabulary biomed_like", "compare", "report",
)  # fmt: skip
LIMIT = 2.0  # seconds
POLL = 0.005


def main() -> None:
    """Print a row a stage; ends with status 1 where one took longer, or left a process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stages", nargs="+", default=STAGES)
    parser.add_argument("--at", nargs="+", type=float, default=[0.3, 1.5, 4.0, 8.0])
    parser.add_argument("--twice", action="store_true", help="a second signal after 0.3 s")
    options = parser.parse_args()
    print(
        "| stage | signals | seconds to the end, median | longest |\n|---|---|---|---|", flush=True
    )
    slow = False
    for stage in options.stages:
        found = []
        for number, moment in enumerate(options.at):
            how = (signal.SIGTERM, signal.SIGINT)[number % 2]
            if (seconds := stopped(stage.split(), moment, how, options.twice)) is not None:
                found.append(seconds)
        if found:
            slow = slow or max(found) > LIMIT
            cells = [
                stage,
                len(found),
                f"{sorted(found)[len(found) // 2]:.2f}",
                f"{max(found):.2f}",
            ]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    sys.exit(slow)


def stopped(stage: list[str], moment: float, how: int, twice: bool) -> float | None:
    """Seconds from the signal until no process of the stage is left; None if it ended before.

    Ends the program where a process is left after 20 seconds.
    """
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "ecqg"), *stage],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment)
        return None
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    since = time.monotonic()
    process.send_signal(how)
    if twice:
        time.sleep(0.3)
        since = time.monotonic()
        process.send_signal(how)
    while any(runs(one) for one in family):
        process.poll()
        if time.monotonic() - since < 20:
            time.sleep(POLL)
        else:
            sys.exit(f"{' '.join(stage)}: left {[one for one in family if runs(one)]}")
    process.wait()
    return time.monotonic() - since


def runs(process: psutil.Process) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


if __name__ == "__main__":
    main()
