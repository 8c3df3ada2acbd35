"""The reader at work: the best span of each context and what speaks for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.progress import track
from ecqg.reading.calibrate import Floats
from ecqg.reading.model import Reader
from ecqg.reading.padding import edges, pad
from ecqg.reading.spans import best_spans
from ecqg.reading.windows import Window, cut
from ecqg.shards import map_blocks
from ecqg.training.batches import by_budget
from ecqg.training.device import autocast, pick_device

# Padded tokens of a batch. On a CPU larger ones leave its caches: MiniLM in fp32 with one thread
# reads 37 pairs a second with 1536, 41 with 1024, 27 with 8192 (medians of three, +- 4).
TOKENS_PER_BATCH = {"cpu": 1536, "cuda": 65_536}
NOTHING = -100.0  # the null margin where a context has no words at all


@dataclass(frozen=True, slots=True)
class Prediction:
    """The best span of a context, even where the null answer beats it.

    `start` is the character at which `answer` stands in the context. `null_margin` is the span's
    score minus the null answer's (SQuAD v2: negative means unanswerable). `log_share` is the
    span's log probability among all spans, at most 0.
    """

    answer: str
    start: int
    null_margin: float
    log_share: float


def predict(
    reader: Reader,
    pairs: Sequence[tuple[str, str]],
    what: str = "read",
    folder: Path | None = None,
) -> list[Prediction]:
    """Read (question, context) pairs; one prediction each, in order.

    Scores are kept in `folder`, where there is one (`map_blocks`), and once all are there the
    predictions, so that what is read need not be tokenized again. Memory grows with the pairs.

    Over several windows the best span is the one of the highest score and the null answer counts
    with its lowest score, since a window that lacks the answer rightly says null (as BERT's SQuAD
    v2 evaluation does).
    """
    device = pick_device()
    resume_dir = folder and folder / device.type  # another device has other batches

    def read(pairs: Sequence[tuple[str, str]]) -> list[list[Any]]:
        settings = reader.settings
        windows = list(
            cut(reader.tokenizer, pairs, settings.lengths, mark_overlap=settings.mark_overlap)
        )
        scored = _score(reader, windows, what, device, resume_dir)
        by_example: list[list[int]] = [[] for _ in pairs]
        for index, window in enumerate(windows):
            by_example[window.example].append(index)
        return [
            list(astuple(_merge(context, [(windows[i], scored[i]) for i in indices])))
            for (_, context), indices in zip(pairs, by_example, strict=True)
        ]

    (predictions,) = map_blocks(resume_dir and resume_dir / "read", [pairs], read)
    return [Prediction(*fields) for fields in predictions]


def features(predictions: Sequence[Prediction]) -> Floats:
    """What confidence is computed from, [n, 2]: null margin and log share."""
    return np.array([(p.null_margin, p.log_share) for p in predictions]).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class _Scores:
    first: int
    last: int
    score: float
    mass: float
    null: float


def _score(
    reader: Reader, windows: list[Window], what: str, device: torch.device, folder: Path | None
) -> list[_Scores]:
    model = reader.on(device).eval()

    @torch.inference_mode()
    def score(batch: NDArray[np.int64]) -> list[list[float]]:
        chosen = [windows[i] for i in batch]
        inputs = pad(chosen, reader.tokenizer.pad_token_id)
        with autocast(device, reader.settings.precision):
            out = model(**{name: tensor.to(device) for name, tensor in inputs.items()})
        may_start, may_end = (mask.to(device) for mask in edges(chosen))
        best = best_spans(
            out.start_logits,
            out.end_logits,
            may_start,
            may_end,
            reader.settings.max_answer_tokens,
        )
        # As one tensor, since a device is waited for at each that is brought over.
        columns = (best.first, best.last, best.score, best.mass, best.null)
        rows: list[list[float]] = torch.stack([column.float() for column in columns], 1).tolist()
        return rows

    budget = TOKENS_PER_BATCH.get(device.type, TOKENS_PER_BATCH["cpu"])
    batches = list(by_budget([len(w.ids) for w in windows], budget, longest_first=True))
    rows = track(map_blocks(folder, batches, score), what, total=len(batches), unit="batch")
    scored: dict[int, _Scores] = {}
    for batch, values in zip(batches, rows, strict=True):
        for index, (first, last, *scores) in zip(batch.tolist(), values, strict=True):
            scored[index] = _Scores(int(first), int(last), *scores)
    return [scored[i] for i in range(len(windows))]


def _merge(context: str, scored: list[tuple[Window, _Scores]]) -> Prediction:
    window, best = max(scored, key=lambda pair: pair[1].score)  # the first of equals
    if best.score == -math.inf:
        return Prediction("", 0, NOTHING, 0.0)
    null = min(scores.null for _, scores in scored)
    peak = max(scores.mass for _, scores in scored)
    mass = peak + math.log(sum(math.exp(scores.mass - peak) for _, scores in scored))
    begin = int(window.spans[best.first - window.first, 0])
    end = int(window.spans[best.last - window.first, 1])
    return Prediction(context[begin:end], begin, best.score - null, best.score - mass)
