"""How good a dual encoder is on a development set while it trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from ecqg.encoder.batches import TrainingSet
from ecqg.encoder.encode import encode_rows
from ecqg.encoder.loss import in_batch_loss
from ecqg.encoder.model import DualEncoder, score_factor
from ecqg.params import Encoder

IN_BATCH = 64  # questions that share a batch when dev loss and accuracy are taken
AT_ONCE = 512  # questions ranked at a time


@dataclass(frozen=True)
class DevScore:
    """`average_rank` is DPR's (0 is perfect), `in_batch_accuracy` a share, `loss` in nats."""

    average_rank: float
    in_batch_accuracy: float
    loss: float

    def better_than(
        self, other: DevScore, by: Literal["average_rank", "in_batch_accuracy", "last"]
    ) -> bool:
        """Whether a later checkpoint with this score replaces an earlier one with `other`."""
        if by == "average_rank":
            return self.average_rank < other.average_rank
        return by == "last" or self.in_batch_accuracy > other.in_batch_accuracy


@torch.inference_mode()
def dev_score(model: DualEncoder, dev: TrainingSet, settings: Encoder) -> DevScore:
    """Score a model on a development set with hard negatives.

    average_rank (DPR's validate_average_rank): over all questions, the mean number of passages
    that score above the gold one among all passages of the set, each distinct passage once.
    in_batch_accuracy and loss: over consecutive batches of 64 questions, as in training.
    """
    model.eval()
    precision = settings.precision
    questions = encode_rows(model.question_encoder, dev.questions, precision)
    passages = encode_rows(model.passage_encoder, dev.passages, precision)
    factor = score_factor(settings.score_scale, model.hidden)
    ranks, hits, loss = 0, 0, 0.0
    for begin in range(0, len(dev), AT_ONCE):
        scores = questions[begin : begin + AT_ONCE] @ passages.T
        gold = np.take_along_axis(scores, dev.positives[begin : begin + AT_ONCE, None], 1)
        ranks += int((scores > gold).sum())
    for begin in range(0, len(dev), IN_BATCH):
        own = slice(begin, begin + IN_BATCH)
        candidates = _candidates(dev.positives[own], dev.hard_negatives[own])
        vectors = torch.from_numpy(questions[own]), torch.from_numpy(passages[candidates])
        count = len(vectors[0])
        loss += count * float(in_batch_loss(*vectors, factor))
        hits += int((vectors[0] @ vectors[1].T).argmax(1).eq(torch.arange(count)).sum())
    return DevScore(ranks / len(dev), hits / len(dev), loss / len(dev))


def _candidates(
    positives: np.ndarray[Any, Any], negatives: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    flat = negatives.ravel()
    return np.concatenate([positives, flat[flat >= 0]])
