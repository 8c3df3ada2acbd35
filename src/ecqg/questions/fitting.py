"""The loop that fits a generator to batches of pairs: pre-training and fine-tuning share it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import torch

from ecqg.progress import track
from ecqg.questions.interface import Generator, Pair
from ecqg.training.checkpoint import Checkpoint, State
from ecqg.training.losslog import LossLog, StepLosses
from ecqg.training.optimizer import build_optimizer, linear_schedule

WARMUP_FRACTION = 0.1  # neither paper states a schedule; BART's own fine-tuning warms up linearly
MAX_GRAD_NORM = 1.0
POOL = 32  # batches whose examples are sorted by length together


def fit(
    generator: Generator,
    batches_after: Callable[[int], Iterable[Sequence[Pair]]],
    *,
    steps: int,
    lr: float,
    log: LossLog,
    what: str,
    checkpoint: Checkpoint | None = None,
) -> Iterator[int]:
    """Take one optimiser step for each of `steps` batches; yields the number of steps taken.

    AdamW, linear warm-up over the first tenth, then linear decay to 0. Logs the mean loss of
    each batch in nats per target token under the name 'train'. A `checkpoint` of the same
    training is gone on from, so that the first number may be higher than 1; `batches_after(n)`
    are all batches but the first n. What the caller does with a step's number belongs to the
    step. Raises InputError for a loss that is no number.
    """
    model = generator.model
    optimizer = build_optimizer([model], lr)
    schedule = linear_schedule(optimizer, steps, WARMUP_FRACTION)
    parameters = list(model.parameters())
    losses = StepLosses(log, remedy="lower the learning rate of this generator")
    state = State(model, optimizer, schedule, losses)
    checkpoint = checkpoint or Checkpoint()
    done = checkpoint.restore(state)
    batches = track(
        batches_after(done), what, total=steps, done=done, unit="step", note=lambda: losses.note
    )
    for step, batch in enumerate(batches, done + 1):
        model.train()
        loss, tokens = generator.loss(batch)
        optimizer.zero_grad()
        (loss / tokens).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, MAX_GRAD_NORM)
        optimizer.step()
        schedule.step()
        losses.add(step, loss, tokens)
        yield step
        checkpoint.save_if_due(state, step)
    losses.read()


def batches_by_length(pairs: Sequence[Pair], size: int, rng: Random) -> list[list[Pair]]:
    """All pairs in random batches of about equal length, which wastes little on padding.

    Pairs of one source come together, so that an encoder-decoder encodes it once for them.
    """
    sources: dict[tuple[int, ...], list[Pair]] = {}
    for pair in pairs:
        sources.setdefault(tuple(pair.source), []).append(pair)
    groups = list(sources.values())
    order = [p for i in rng.sample(range(len(groups)), len(groups)) for p in groups[i]]
    batches = []
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL], key=lambda p: (len(p.source), p.source))
        batches += [pool[k : k + size] for k in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches


@torch.inference_mode()
def mean_loss(generator: Generator, pairs: Sequence[Pair], batch_size: int = 64) -> float:
    """Nats per target token."""
    generator.model.eval()
    ordered = sorted(pairs, key=lambda p: (len(p.source), len(p.target)))
    total, count = 0.0, 0
    for start in range(0, len(ordered), batch_size):
        loss, tokens = generator.loss(ordered[start : start + batch_size])
        total, count = total + float(loss), count + tokens
    return total / count
