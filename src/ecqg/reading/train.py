"""Training of the reader: cross-entropy of the answer's first and last token (Devlin et al. 2019).

Questions that the context does not answer, and windows that do not hold the answer, are trained
towards [CLS] as SQuAD v2 readers are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from ecqg import seeds
from ecqg.columns import Columns
from ecqg.corpus.reading import ReadingExample
from ecqg.errors import InputError
from ecqg.params import ReadingPhase
from ecqg.reading.model import Reader
from ecqg.reading.windows import Lengths, Window, cut, pad
from ecqg.training.batches import padded_width, shuffled_by_length
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import autocast, pick_device
from ecqg.training.loop import Plan, fit

WEIGHT_DECAY = 0.01
BLOCK = 8192  # windows in memory while they are made
COLUMNS = {"ids": np.int32, "types": np.int8, "lengths": np.int64, "targets": np.int64}


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

    It resumes from a `checkpoint` of the same phase. Raises InputError where there are no
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
    sizes = np.diff(windows.offsets).tolist()
    model, longest = reader.on(device), reader.model.config.max_position_embeddings

    def batches(epoch: int) -> list[list[int]]:
        rng = seeds.python_rng(seed, name, epoch - 1)
        order = list(range(len(sizes)))
        rng.shuffle(order)
        return shuffled_by_length(order, phase.batch_size, sizes.__getitem__, rng)

    def gradients(_: int, rows: list[int]) -> tuple[torch.Tensor, int]:
        """The loss is the mean over windows and over first and last token, in nats."""
        ids, types, targets = windows.batch(rows)
        width = padded_width(max(map(len, ids)), longest)
        padded = pad(ids, types, reader.tokenizer.pad_token_id, width)
        inputs = {name: tensor.to(device) for name, tensor in padded.items()}
        with autocast(device, reader.settings.precision):
            out = model(**inputs)
        off = inputs["attention_mask"] == 0
        first, last = targets.to(device).unbind(1)
        start = out.start_logits.float().masked_fill(off, float("-inf"))
        end = out.end_logits.float().masked_fill(off, float("-inf"))
        loss = (cross_entropy(start, first) + cross_entropy(end, last)) / 2
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


@dataclass(frozen=True)
class TrainingSet:
    """n windows, one after the other, and the tokens that they are trained towards.

    Window i is `ids[offsets[i] : offsets[i + 1]]`, and so are its `types`.
    """

    ids: NDArray[np.int32]
    types: NDArray[np.int8]
    offsets: NDArray[np.int64]  # [n + 1]
    targets: NDArray[np.int64]  # [n, 2] first and last token of the first gold answer, else 0, 0

    def batch(
        self, rows: Sequence[int]
    ) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int8]], torch.Tensor]:
        """Ids and types of the windows of `rows`, and their targets, [rows, 2]."""
        spans = [slice(self.offsets[row], self.offsets[row + 1]) for row in rows]
        ids, types = [self.ids[span] for span in spans], [self.types[span] for span in spans]
        return ids, types, torch.from_numpy(self.targets[rows])


def build_training_set(
    tokenizer: Any, examples: Sequence[ReadingExample], lengths: Lengths, *, mark_overlap: bool
) -> TrainingSet:
    """Cut examples, at least one, into windows. Tokens lie in temporary files, memory-mapped.

    Raises InputError where the lengths leave gaps.
    """
    pairs = [(e.question, e.context) for e in examples]
    windows = cut(tokenizer, pairs, lengths, mark_overlap=mark_overlap)
    with TemporaryDirectory() as folder:  # the maps keep the files
        columns = Columns(Path(folder), COLUMNS)
        while block := list(islice(windows, BLOCK)):
            targets = [_target(window, examples[window.example]) for window in block]
            columns.append(
                ids=np.concatenate([w.ids for w in block]),
                types=np.concatenate([w.types for w in block]),
                lengths=np.array([len(w.ids) for w in block], np.int64),
                targets=np.array(targets, np.int64).ravel(),
            )
        offsets = np.concatenate([[0], np.cumsum(columns.read("lengths"))])
        ids, types, flat = (columns.read(name) for name in ("ids", "types", "targets"))
        return TrainingSet(ids, types, offsets, flat.reshape(-1, 2))


def _target(window: Window, example: ReadingExample) -> tuple[int, int]:
    for answer in example.answers[:1]:
        lead = len(answer.text) - len(answer.text.lstrip())
        begin = answer.start + lead
        return window.locate(begin, begin + len(answer.text.strip()))
    return 0, 0
