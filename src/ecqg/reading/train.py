"""Training of the reader: cross-entropy of the answer's first and last token (Devlin et al. 2019).

Questions that the context does not answer, and windows that do not hold the answer, are trained
towards [CLS] as SQuAD v2 readers are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ecqg import seeds
from ecqg.corpus.reading import ReadingExample
from ecqg.errors import InputError
from ecqg.params import ReadingPhase
from ecqg.reading.model import Reader
from ecqg.reading.padding import pad
from ecqg.reading.training_set import TrainingWindow, build_training_set
from ecqg.reading.windows import Lengths
from ecqg.training.batches import padded_width, shuffled_by_length
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import autocast, pick_device
from ecqg.training.loop import Plan, fit

WEIGHT_DECAY = 0.01


def train_phase(
    reader: Reader,
    examples: Sequence[ReadingExample],
    phase: ReadingPhase,
    *,
    name: str,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> None:
    """Train in place for one phase; the loss is logged as curve `name`.

    A `checkpoint` of the same phase is gone on from. Raises InputError where there are no
    examples, lengths leave gaps, a loss is no number, or memory runs out.
    """
    if not examples:
        raise InputError(f"reader: no examples in {phase.examples}", remedy="see reader.phases")
    device = pick_device()
    windows = build_training_set(
        reader.tokenizer,
        examples,
        Lengths(phase.max_tokens, phase.max_question_tokens, phase.stride),
        mark_overlap=reader.settings.mark_overlap,
    )
    sizes = windows.lengths().tolist()
    model = reader.on(device)

    def batches(epoch: int) -> list[list[int]]:
        rng = seeds.python_rng(seed, name, epoch - 1)
        order = list(range(len(sizes)))
        rng.shuffle(order)
        return shuffled_by_length(order, phase.batch_size, sizes.__getitem__, rng)

    def gradients(_: int, batch: list[int]) -> tuple[torch.Tensor, int]:
        loss = _loss(model, reader, *windows.batch(batch), device)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss, 1

    plan = Plan(
        f"train reader, {name}",
        phase.epochs,
        -(-len(sizes) // phase.batch_size),
        phase.lr,
        "the learning rate of this phase of the reader",
        "reader.phases: batch_size or max_tokens",
        weight_decay=WEIGHT_DECAY,
        curve=name,
    )
    fit(model, batches, gradients, plan, checkpoint=checkpoint)


def _loss(
    model: Any,
    reader: Reader,
    windows: Sequence[TrainingWindow],
    target: torch.Tensor,
    device: torch.device,
) -> torch.Tensor:
    """Mean over windows and over first and last token, nats."""
    longest = max(len(w.ids) for w in windows)
    width = padded_width(longest, model.config.max_position_embeddings)
    padded = pad(windows, reader.tokenizer.pad_token_id, width)
    inputs = {name: tensor.to(device) for name, tensor in padded.items()}
    with autocast(device, reader.settings.precision):
        out = model(**inputs)
    off = inputs["attention_mask"] == 0
    first, last = target.to(device).unbind(1)
    entropy = torch.nn.functional.cross_entropy
    start = out.start_logits.float().masked_fill(off, float("-inf"))
    end = out.end_logits.float().masked_fill(off, float("-inf"))
    return (entropy(start, first) + entropy(end, last)) / 2
