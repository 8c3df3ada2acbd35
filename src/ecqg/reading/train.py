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
from ecqg.progress import track
from ecqg.reading.batches import pad, shuffled
from ecqg.reading.model import Reader
from ecqg.reading.windows import Lengths, Window, cut
from ecqg.training.device import autocast, explain_out_of_memory, padded_width, pick_device
from ecqg.training.losslog import LossLog
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
) -> None:
    """Train in place for one phase; the loss is logged as curve `name`.

    Raises InputError where there are no examples, lengths leave gaps, or memory runs out.
    """
    if not examples:
        raise InputError(f"reader: no examples in {phase.examples}", remedy="see reader.phases")
    device = pick_device()
    windows, targets = training_windows(
        reader.tokenizer,
        examples,
        Lengths(phase.max_tokens, phase.max_question_tokens, phase.stride),
        mark_overlap=reader.settings.mark_overlap,
    )
    sizes = [len(w.ids) for w in windows]
    batches = [
        batch
        for epoch in range(phase.epochs)
        for batch in shuffled(sizes, phase.batch_size, seeds.python_rng(seed, name, epoch))
    ]
    model = reader.on(device).train()
    optimizer = build_optimizer([model], phase.lr, weight_decay=0.01)
    schedule = linear_schedule(optimizer, len(batches), WARMUP)
    note = ""
    knobs = "reader.phases: batch_size or max_tokens"
    with explain_out_of_memory(knobs):
        progress = track(batches, f"train reader, {name}", unit="batch", note=lambda: note)
        for step, batch in enumerate(progress, 1):
            loss = _loss(model, reader, [windows[i] for i in batch], targets[batch], device)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_GRAD_NORM)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            log.add(name, step, loss.item())
            note = f"loss {loss.item():.2f}"
    model.eval()


def training_windows(
    tokenizer: Any, examples: Sequence[ReadingExample], lengths: Lengths, *, mark_overlap: bool
) -> tuple[list[Window], torch.Tensor]:
    """Windows and their targets [windows, 2]: first and last token of the first gold answer."""
    pairs = [(e.question, e.context) for e in examples]
    windows: list[Window] = []
    targets: list[tuple[int, int]] = []
    for window in cut(tokenizer, pairs, lengths, mark_overlap=mark_overlap):
        target = 0, 0
        for answer in examples[window.example].answers[:1]:
            lead = len(answer.text) - len(answer.text.lstrip())
            begin = answer.start + lead
            target = window.locate(begin, begin + len(answer.text.strip()))
        windows.append(window)
        targets.append(target)
    return windows, torch.tensor(targets)


def _loss(
    model: Any, reader: Reader, windows: list[Window], target: torch.Tensor, device: torch.device
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
