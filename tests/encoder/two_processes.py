"""Processes that train together: what each does that torchrun starts, and starts by forks.

    torchrun ... two_processes.py ROOT CASES
    python two_processes.py --fork STARTS

ROOT holds a folder for each process; CASES are groups of chunks that share negatives, as JSON:
{case: [[chunk, ...], ...]}. STARTS, as JSON, are arguments of `fork`, used one after another. Of
each a line of JSON is printed: whether all ended well, and of each process what `left` finds.
Libraries are imported but once for all of them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from multiprocessing import connection, get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from safetensors.torch import save_file

from ecqg import pace, paths
from ecqg.__main__ import main
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.batches import build_training_set
from ecqg.encoder.gradient_cache import backward_shared
from ecqg.encoder.model import DualEncoder
from ecqg.params import load_params
from ecqg.pipeline.forks import LIBRARIES
from ecqg.training.distributed import STORE, processes, sum_gradients
from ecqg.training.launch import LOOPBACK


def write_gradients(cases: dict[str, list[list[list[int]]]]) -> None:
    """CASE.safetensors: the loss and every gradient of each case."""
    model = DualEncoder.load(paths.start())
    gold = paths.gold_negatives("train")
    passages = Passages(gold.with_name(PASSAGES))
    examples = read_examples(gold, passages)
    data = build_training_set(examples, passages, model.tokenizer, load_params().encoder, 1)

    def encode(rows):
        questions, passages = data.batch(rows)
        return model.question_encoder(questions), model.passage_encoder(passages)

    for name, groups in cases.items():
        losses = [
            backward_shared(
                encode, data, [*map(np.array, group)], 0.25, 1 / len(groups), torch.device("cpu")
            )
            for group in groups
        ]
        sum_gradients(model.parameters())
        tensors = {k: p.grad for k, p in model.named_parameters() if p.grad is not None}
        save_file({**tensors, "loss": sum(losses)}, f"{name}.safetensors")
        model.zero_grad()


def stop(stop: int) -> None:
    """Have this process end in its optimiser step `stop`; counts steps in the file "steps".

    A checkpoint is due after every step.
    """
    step, begun = torch.optim.AdamW.step, []

    def counted(self, *arguments, **options):
        begun.append(None)
        Path("steps").write_text(str(len(begun)))
        if len(begun) == stop:
            os._exit(1)
        return step(self, *arguments, **options)

    torch.optim.AdamW.step = counted
    pace.SECONDS = pace.SHARE = 0


def train(folder: str, **how: int) -> None:
    if how:
        stop(**how)
    os.chdir(folder)
    sys.argv[1:] = ["finetune", "dpr"]
    main()


def fork(folders: Sequence[str], **how: int) -> bool:
    """Train by one process for each folder, stopped where `how` says so; whether all ended well.

    They have the environment that torchrun gives, and as there one that fails ends the others.
    """
    context, together = get_context("fork"), []
    with TemporaryDirectory() as meeting:
        os.environ.update({**LOOPBACK, STORE: f"{meeting}/store", "TORCHELASTIC_RUN_ID": "forks"})
        for rank, folder in enumerate(folders):
            own = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": len(folders)}
            os.environ.update({name: str(value) for name, value in own.items()})
            together.append(context.Process(target=train, args=(folder,), kwargs=how))
            together[-1].start()
        while running := [one.sentinel for one in together if one.is_alive()]:
            connection.wait(running)
            if any(one.exitcode for one in together):
                for one in together:
                    one.kill()
        return not any(one.exitcode for one in together)


def left(folder: str) -> tuple[int, int]:
    """Steps that were begun in a folder, and checkpoints that are there."""
    steps = Path(folder, "steps")
    begun = int(steps.read_text()) if steps.exists() else 0
    return begun, len(list(Path(folder).glob("**/state-*.safetensors")))


if __name__ == "__main__":
    if sys.argv[1] == "--fork":
        for name in (*LIBRARIES, "ecqg.cli"):
            import_module(name)  # once for all forks
        for start in json.loads(sys.argv[2]):
            ended = fork(**start)
            print(json.dumps([ended, *map(left, start["folders"])]), flush=True)
        sys.exit()
    folder = Path(sys.argv[1], os.environ["RANK"])
    os.chdir(folder)
    with processes():
        write_gradients(json.loads(sys.argv[2]))
        train(str(folder))
