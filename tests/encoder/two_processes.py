"""What each of the processes does that test_two_processes.py starts with torchrun.

Arguments: the folder that holds a folder for each process; the groups of chunks that share
negatives as JSON, {case: [[chunk, ...], ...]}; the optimiser step in which training is stopped, 0
for none. Where a step is named at all, a checkpoint is due after every one.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

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
from ecqg.training.distributed import processes, sum_gradients


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


def stop(last: int) -> None:
    """Have this process end in its optimiser step `last`; counts steps in the file "steps"."""
    step, begun = torch.optim.AdamW.step, []

    def counted(self, *arguments, **options):
        begun.append(None)
        Path("steps").write_text(str(len(begun)))
        if len(begun) == last:
            os._exit(1)
        return step(self, *arguments, **options)

    torch.optim.AdamW.step = counted
    pace.SECONDS = pace.SHARE = 0


if __name__ == "__main__":
    os.chdir(Path(sys.argv[1], os.environ["RANK"]))
    if len(sys.argv) > 3:
        stop(int(sys.argv[3]))
    with processes():
        write_gradients(json.loads(sys.argv[2]))
        sys.argv[1:] = ["finetune", "dpr"]
        main()
