"""The reader at work: the best span of each context, with the figures of its confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.progress import track
from ecqg.reading.model import Reader, load
from ecqg.reading.windows import Window, cut, edges, pad
from ecqg.shards import map_blocks, map_rest
from ecqg.training.batches import by_budget
from ecqg.training.device import autocast, explain_out_of_memory, pick_device

# Padded tokens of a batch. On a CPU larger ones leave its caches: MiniLM in fp32 with one thread
# reads 37 pairs a second with 1536, 41 with 1024, 27 with 8192 (medians of three, +- 4).
TOKENS_PER_BATCH = {"cpu": 1536, "cuda": 65_536}
NOTHING = -100.0  # the null margin where a context has no words at all


T = TypeVar("T")


class Prediction(NamedTuple):
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
    source: Path | None = None,
) -> list[Prediction]:
    """Read (question, context) pairs; one prediction each, in order.

    Scores are kept in `folder`, where there is one (`map_blocks`), and once all are there the
    predictions, so that what is read need not be tokenized again. Memory grows with the pairs. With
    a `source`, the reader's folder, several processes may read.

    Over several windows the best span is the one of the highest score and the null answer counts
    with its lowest score, since a window that lacks the answer rightly says null (as BERT's SQuAD
    v2 evaluation does).
    """
    folder = folder and folder / pick_device().type  # another device has other batches
    read = partial(_read, reader, what=what, folder=folder, source=source)
    (predictions,) = map_blocks(folder and folder / "read", [pairs], read)
    return [Prediction(*fields) for fields in predictions]


def _read(
    reader: Reader,
    pairs: Sequence[tuple[str, str]],
    what: str,
    folder: Path | None,
    source: Path | None,
) -> list[list[Any]]:
    """The fields of each prediction; see `predict`."""
    settings, device = reader.settings, pick_device()
    marked = settings.mark_overlap
    windows = list(cut(reader.tokenizer, pairs, settings.lengths, mark_overlap=marked))
    budget = TOKENS_PER_BATCH.get(device.type, TOKENS_PER_BATCH["cpu"])
    batches = list(by_budget([len(w.ids) for w in windows], budget, longest_first=True))

    def mapped(rest: Iterator[NDArray[np.int64]]) -> Iterator[list[list[float]]]:
        blocks = ([windows[i] for i in batch] for batch in rest)
        here = partial(score, reader, device)
        return map(here, blocks) if source is None else run(Read(source), blocks, here=here)

    rows = track(map_rest(folder, batches, mapped), what, total=len(batches), unit="batch")
    scored: dict[int, list[float]] = {}
    for batch, values in zip(batches, rows, strict=True):
        scored.update(zip(batch.tolist(), values, strict=True))
    of_pairs: list[list[tuple[Window, BestSpans[float]]]] = [[] for _ in pairs]
    for place, window in enumerate(windows):
        of_pairs[window.example].append((window, BestSpans(*scored[place])))
    contexts = (context for _, context in pairs)
    return [list(_merge(*both)) for both in zip(contexts, of_pairs, strict=True)]


class BestSpans(NamedTuple, Generic[T]):
    """Of windows, as tensors [windows], or of one.

    `first` and `last` are the best span's context tokens (0-based, inclusive), `score` its start
    score plus its end score (-inf where there is no span), `mass` the log-sum-exp of the scores of
    all spans, `null` the score of the null answer ([CLS] as start and end).
    """

    first: T
    last: T
    score: T
    mass: T
    null: T


def best_spans(
    start: Tensor, end: Tensor, may_start: Tensor, may_end: Tensor, max_tokens: int
) -> BestSpans[Tensor]:
    """Decode windows exactly: every span of 1 to `max_tokens` tokens is compared.

    All arguments are [windows, tokens]: float scores and, as booleans, which tokens a span may
    start or end at. Token 0 is [CLS] and must allow neither. Of equal spans the earliest, then the
    shortest, wins.
    """
    windows, tokens = start.shape
    longest = min(max_tokens, tokens)
    minus = float("-inf")
    starts = start.float().masked_fill(~may_start, minus)
    ends = end.float().masked_fill(~may_end, minus)
    padded = torch.cat([ends, ends.new_full((windows, longest - 1), minus)], dim=1)
    # [windows, tokens, length - 1]: no square of the window's length, which would be mostly masked
    scores = (starts.unsqueeze(2) + padded.unfold(1, longest, 1)).flatten(1)
    best = scores.argmax(dim=1)
    first = best // longest
    return BestSpans(
        first,
        first + best % longest,
        scores.gather(1, best.unsqueeze(1)).squeeze(1),
        scores.logsumexp(dim=1),
        start[:, 0].float() + end[:, 0].float(),
    )


@torch.inference_mode()
def score(reader: Reader, device: torch.device, windows: list[Window]) -> list[list[float]]:
    """BestSpans of windows that are read together, as lists.

    Raises InputError where memory runs out.
    """
    with explain_out_of_memory("max_tokens of the last of reader.phases"):
        return _score(reader, device, windows)


def _score(reader: Reader, device: torch.device, windows: list[Window]) -> list[list[float]]:
    model = reader.on(device).eval()
    ids, types = [w.ids for w in windows], [w.types for w in windows]
    inputs = pad(ids, types, reader.tokenizer.pad_token_id)
    with autocast(device, reader.settings.precision):
        out = model(**{name: tensor.to(device) for name, tensor in inputs.items()})
    may_start, may_end = (mask.to(device) for mask in edges(windows))
    longest = reader.settings.max_answer_tokens
    best = best_spans(out.start_logits, out.end_logits, may_start, may_end, longest)
    # As one tensor, since a device is waited for at each that is brought over.
    rows: list[list[float]] = torch.stack([column.float() for column in best], 1).tolist()
    return rows


@dataclass(frozen=True)
class Read(Task[list[Window], list[list[float]]]):
    """`score`, by the reader in a folder."""

    reader: Path
    device = True

    def start(self) -> Callable[[list[Window]], list[list[float]]]:
        """Load the reader."""
        return partial(score, load(self.reader)[0], pick_device())

    def name(self, block: list[Window]) -> str:
        """By the places of the questions."""
        return f"the questions {block[0].example} to {block[-1].example}"


def _merge(context: str, scored: list[tuple[Window, BestSpans[float]]]) -> Prediction:
    window, best = max(scored, key=lambda pair: pair[1].score)  # the first of equals
    if best.score == -math.inf:
        return Prediction("", 0, NOTHING, 0.0)
    null = min(scores.null for _, scores in scored)
    peak = max(scores.mass for _, scores in scored)
    mass = peak + math.log(sum(math.exp(scores.mass - peak) for _, scores in scored))
    begin = int(window.spans[int(best.first) - window.first, 0])
    end = int(window.spans[int(best.last) - window.first, 1])
    return Prediction(context[begin:end], begin, best.score - null, best.score - mass)
