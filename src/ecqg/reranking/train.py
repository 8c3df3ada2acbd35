"""Training of the cross-encoder.

The loss is thesis eq. 2.8 with the cross-encoder's score for sim: the negative log-likelihood of
the positive among a question's candidates. Nogueira and Cho (2019) classify every pair by itself
instead; the softmax compares what the re-ranker will have to compare, and needs no balance of
positive and negative pairs. Candidates are a question's own, never the batch's, since each one
costs a pass through the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from ecqg import seeds
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passages
from ecqg.params import Reranker
from ecqg.reranking.candidates import NONE, Candidates, Ints
from ecqg.reranking.model import CrossEncoder
from ecqg.reranking.pairs import Pairs
from ecqg.reranking.score import score_pairs
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import autocast, pick_device
from ecqg.training.loop import Development, History, Plan, fit


@dataclass(frozen=True)
class DevScore:
    """`accuracy`: the share of questions whose positive beats all candidates; `loss` in nats."""

    accuracy: float
    loss: float


def candidate_loss(scores: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
    """Mean negative log-likelihood of each question's first candidate, in nats.

    `scores` is [n, candidates]; where `present` is false there is no candidate.
    """
    first = torch.zeros(len(scores), dtype=torch.long, device=scores.device)
    return functional.cross_entropy(scores.masked_fill(~present, -torch.inf), first)


def train(
    cross_encoder: CrossEncoder,
    examples: Sequence[Example],
    dev: Sequence[Example],
    passages: Passages,
    settings: Reranker,
    *,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> History[DevScore]:
    """Train in place and leave the model, on the CPU, at its best epoch on `dev`.

    The best has the highest accuracy; of equals the one with the lowest loss. A `checkpoint` of
    the same training is resumed from. Raises InputError for a loss that is no number, for
    examples that cannot be used, or out of memory.
    """
    device = pick_device()
    torch.manual_seed(seeds.derive(seed, "dropout"))
    candidates, of_dev = (Candidates(split, passages, settings) for split in (examples, dev))
    pairs, dev_pairs = (
        Pairs(cross_encoder.tokenizer, split.questions, split.passages, cross_encoder.form)
        for split in (candidates, of_dev)
    )
    cross_encoder.model.to(device)
    drawn = of_dev.draw(range(len(of_dev)), seeds.numpy_rng(seed, "dev"))

    def batches(epoch: int) -> Iterator[tuple[Ints, Ints]]:
        """Each step's questions, [n], and the passages drawn for them, [n, width]."""
        rng = seeds.numpy_rng(seed, "batches", epoch - 1)
        order = rng.permutation(len(candidates))
        for begin in range(0, len(order), settings.batch_size):
            questions = order[begin : begin + settings.batch_size]
            yield questions, candidates.draw(questions.tolist(), rng)

    def gradients(_: int, batch: tuple[Ints, Ints]) -> tuple[torch.Tensor, int]:
        questions, passages = batch
        present = torch.from_numpy(passages != NONE).to(device)
        rows, columns = np.nonzero(passages != NONE)
        packed = pairs.batch(questions[rows], passages[rows, columns])
        with autocast(device, settings.precision):
            found = cross_encoder.scores(packed.to(device))
        scores = found.new_zeros(passages.shape).masked_scatter(present, found)
        loss = candidate_loss(scores, present)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss, 1

    plan = Plan(
        "train re-ranker",
        settings.epochs,
        -(-len(candidates) // settings.batch_size),
        settings.lr,
        "reranker.lr",
        "reranker.batch_size, its negatives or max_tokens",
        settings.warmup_fraction,
        settings.weight_decay,
        settings.max_grad_norm,
    )
    development = Development(
        DevScore,
        lambda: _dev_score(cross_encoder, dev_pairs, drawn),
        lambda score, kept: (score.accuracy, -score.loss) > (kept.accuracy, -kept.loss),
    )
    return fit(
        cross_encoder.model,
        batches,
        gradients,
        plan,
        checkpoint=checkpoint,
        development=development,
    )


def _dev_score(cross_encoder: CrossEncoder, pairs: Pairs, passages: Ints) -> DevScore:
    """Score the model on candidates `passages`, [n, width]; a tie is not won."""
    rows, columns = np.nonzero(passages != NONE)
    scores = torch.full(passages.shape, -torch.inf)
    found = score_pairs(cross_encoder, pairs, rows, passages[rows, columns])
    scores[rows, columns] = torch.from_numpy(found)
    loss = candidate_loss(scores, torch.from_numpy(passages != NONE))
    won = (scores[:, :1] > scores[:, 1:]).all(1)
    return DevScore(int(won.sum()) / len(won), float(loss))
