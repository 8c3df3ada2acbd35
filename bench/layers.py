"""Attention of a layer below the last: one sequence after the other, against PyTorch's fused one.

    python bench/layers.py [--rounds N]
    ECQG_NUMERICS=native OMP_NUM_THREADS=2 python bench/layers.py

A CPU takes the first way (`ecqg.encoder.architectures`), a GPU the second, which puts sequences
side by side. A batch is that of a training step, 128 passages in packed tokens, weights of the
default's size (two layers, 192 dimensions, six heads); of the two layers the lower one attends for
every token. Vectors alone, and with gradients. Both must agree to 1e-5.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ecqg import numerics

numerics.fix()  # before any library is loaded

# ruff: noqa: E402
import numpy as np
import torch
from transformers import BertConfig, BertModel

from ecqg.encoder import architectures
from ecqg.encoder.architectures import cls_vectors
from ecqg.encoder.tokens import Tokens
from ecqg.training.device import pick_device
from side_by_side import alternate, counted, table

SIDES = {"one by one": architectures._attend_each, "fused": architectures._attend_together}
PASSAGES, TOKENS = 128, (60, 140)  # in a batch; in a passage, drawn between these


def main() -> None:
    """Print passages a second of both, without and with gradients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    pick_device()
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=6000,
        hidden_size=192,
        num_hidden_layers=2,
        num_attention_heads=6,
        intermediate_size=256,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model, lengths = BertModel(config), np.random.default_rng(0).integers(*TOKENS, PASSAGES)
    ids = np.random.default_rng(1).integers(5, 6000, lengths.sum(), dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    batch = Tokens(ids, offsets, lengths.astype(np.int32)).batch(np.arange(PASSAGES))

    def vectors() -> None:
        with torch.no_grad():
            cls_vectors(model, batch)

    def gradients() -> None:
        model.zero_grad(set_to_none=True)
        torch.autograd.backward(cls_vectors(model, batch).sum())

    results = []
    for attend in SIDES.values():
        architectures._attend_each = attend
        results.append(cls_vectors(model, batch))
    torch.testing.assert_close(*results, atol=1e-5, rtol=1e-5)
    for name, work in (("vectors", vectors), ("vectors and gradients", gradients)):
        sides = {side: counted(by(attend, work), PASSAGES) for side, attend in SIDES.items()}
        print(f"{name}\n\n{table(alternate(sides, rounds), 'passages/s')}\n")


def by(attend: Callable[..., torch.Tensor], work: Callable[[], None]) -> Callable[[], None]:
    """`work` with that way of attention."""

    def run() -> None:
        architectures._attend_each = attend
        work()

    return run


if __name__ == "__main__":
    main()
