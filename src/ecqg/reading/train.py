"""Training of the reader: cross-entropy of the answer's first and last token (Devlin et al. 2019).

Questions that the context does not answer, and windows that do not hold the answer, are trained
towards [CLS] as SQuAD v2 readers are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ecqg import seeds
from ecqg.corpus.reading import ReadingExample
from ecqg.errors import InputError
from ecqg.params import ReadingPhase
from ecqg.progress import track
from ecqg.reading.batches import Typed, pad, shuffled
from ecqg.reading.model import Reader
from ecqg.reading.training_set import build_training_set
from ecqg.reading.windows import Lengths
from ecqg.training.checkpoint import Checkpoint, State
from ecqg.training.device import autocast, explain_out_of_memory, padded_width, pick_device
from ecqg.training.losslog import LossLog, StepLosses
from ecqg.training.optimizer import build_optimizer, linear_schedule

WARMUP = 0.1
MAX_GRAD_NORM = 1.0


def train_phase(
    reader: Reader,
    examples: Sequence[ReadingExample],
    phase: ReadingPhase,
    *,
    name: str,
    seed: int,
    log: LossLog,
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
    steps = phase.epochs * -(-len(sizes) // phase.batch_size)
    model = reader.on(device).train()
    optimizer = build_optimizer([model], phase.lr, weight_decay=0.01)
    schedule = linear_schedule(optimizer, steps, WARMUP)
    parameters = list(model.parameters())
    losses = StepLosses(log, name, "lower the learning rate of this phase of the reader")
    state = State(model, optimizer, schedule, losses)
    checkpoint = checkpoint or Checkpoint()
    done = checkpoint.restore(state)
    progress = track(
        _batches_after(done, sizes, phase, name, seed),
        f"train reader, {name}",
        total=steps,
        done=done,
        unit="batch",
        note=lambda: losses.note,
    )
    with explain_out_of_memory("reader.phases: batch_size or max_tokens"):
        for step, batch in enumerate(progress, done + 1):
            loss = _loss(model, reader, *windows.batch(batch), device)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(parameters, MAX_GRAD_NORM)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            losses.add(step, loss)
            checkpoint.save_if_due(state, step)
    losses.read()
    model.eval()


def _batches_after(
    done: int, sizes: Sequence[int], phase: ReadingPhase, name: str, seed: int
) -> Iterator[list[int]]:
    """Each step's windows, the first `done` steps of the phase left out."""
    whole, part = divmod(done, -(-len(sizes) // phase.batch_size))
    for epoch in range(whole, phase.epochs):
        batches = shuffled(sizes, phase.batch_size, seeds.python_rng(seed, name, epoch))
        yield from batches[part if epoch == whole else 0 :]


def _loss(
    model: Any,
    reader: Reader,
    windows: Sequence[Typed],
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
