"""Training of the cross-encoder.

The loss is thesis eq. 2.8 with the cross-encoder's score for sim: the negative log-likelihood of
the positive among a question's candidates. Nogueira and Cho (2019) classify every pair by itself
instead; the softmax compares what the re-ranker will have to compare, and needs no balance of
positive and negative pairs. Candidates are a question's own, never the batch's, since each one
costs a pass through the model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from ecqg import seeds
from ecqg.corpus.examples import Example
from ecqg.params import Reranker
from ecqg.progress import track
from ecqg.reranking.candidates import NONE, Candidates, Ints
from ecqg.reranking.model import CrossEncoder
from ecqg.reranking.pairs import Pairs
from ecqg.reranking.score import score_pairs
from ecqg.training.checkpoint import Checkpoint, State
from ecqg.training.device import autocast, explain_out_of_memory, pick_device
from ecqg.training.losslog import LossLog, StepLosses
from ecqg.training.optimizer import build_optimizer, linear_schedule


@dataclass(frozen=True)
class DevScore:
    """`accuracy`: the share of questions whose positive beats all candidates; `loss` in nats."""

    accuracy: float
    loss: float


@dataclass(frozen=True)
class History:
    """The development score after every epoch (the first: 1), and the epoch that was kept."""

    best_epoch: int
    dev: tuple[DevScore, ...]

    def record(self) -> dict[str, Any]:
        """As a metrics file says it: the kept epoch's scores, then all epochs'."""
        kept = {f"dev_{k}": v for k, v in asdict(self.dev[self.best_epoch - 1]).items()}
        return {**kept, "best_epoch": self.best_epoch, "epochs": [asdict(s) for s in self.dev]}


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
    settings: Reranker,
    *,
    seed: int,
    log: LossLog,
    checkpoint: Checkpoint | None = None,
) -> History:
    """Train in place and leave the model, on the CPU, at its best checkpoint on `dev`.

    The best has the highest accuracy; of equals the one with the lowest loss. A `checkpoint` of
    the same training is gone on from. Raises InputError for a loss that is no number, for
    examples that cannot be used, or out of memory.
    """
    device = pick_device()
    torch.manual_seed(seeds.derive(seed, "dropout"))
    candidates, of_dev = Candidates(examples, settings), Candidates(dev, settings)
    pairs = _pairs(cross_encoder, candidates)
    model = cross_encoder.model.to(device)
    steps = -(-len(candidates) // settings.batch_size)
    optimizer = build_optimizer([model], settings.lr, settings.weight_decay)
    schedule = linear_schedule(optimizer, steps * settings.epochs, settings.warmup_fraction)
    dev_pairs = _pairs(cross_encoder, of_dev)
    drawn = of_dev.draw(range(len(of_dev)), seeds.numpy_rng(seed, "dev"))
    parameters = list(model.parameters())
    losses = StepLosses(log, remedy="lower reranker.lr")
    state = State(model, optimizer, schedule, losses)
    checkpoint = checkpoint or Checkpoint()
    done = checkpoint.restore(state)
    progress = track(
        _batches_after(done, candidates, settings, seed),
        "train re-ranker",
        total=steps * settings.epochs,
        done=done,
        unit="step",
        note=lambda: losses.note,
    )
    model.train()
    with explain_out_of_memory("reranker.batch_size, its negatives or max_tokens"):
        for step, (questions, passages) in enumerate(progress, done + 1):
            present = torch.from_numpy(passages != NONE)
            rows, columns = np.nonzero(passages != NONE)
            batch = pairs.batch(questions[rows], passages[rows, columns])
            with autocast(device, settings.precision):
                found = cross_encoder.scores(batch.to(device))
            scores = found.new_zeros(passages.shape).masked_scatter(present.to(device), found)
            loss = candidate_loss(scores, present.to(device))
            loss.backward()  # type: ignore[no-untyped-call]
            clip_grad_norm_(parameters, settings.max_grad_norm)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            losses.add(step, loss)
            if step % steps == 0:
                losses.read()
                score = _dev_score(cross_encoder, dev_pairs, drawn)
                model.train()
                log.add("dev", step, score.loss)
                _keep_if_best(state, score, step // steps)
            checkpoint.save_if_due(state, step)
    model.cpu().eval().load_state_dict(state.best)
    return History(state.best_epoch, tuple(DevScore(**score) for score in state.scores))


def _batches_after(
    done: int, candidates: Candidates, settings: Reranker, seed: int
) -> Iterator[tuple[Ints, Ints]]:
    """Each step's questions, [n], and the passages drawn for them, [n, width].

    The first `done` steps of the training are left out.
    """
    whole, part = divmod(done, -(-len(candidates) // settings.batch_size))
    for epoch in range(whole, settings.epochs):
        rng = seeds.numpy_rng(seed, "batches", epoch)
        order = rng.permutation(len(candidates))
        for place, begin in enumerate(range(0, len(order), settings.batch_size)):
            questions = order[begin : begin + settings.batch_size]
            passages = candidates.draw(questions.tolist(), rng)
            if epoch > whole or place >= part:
                yield questions, passages


def _keep_if_best(state: State, score: DevScore, epoch: int) -> None:
    scores = [DevScore(**score) for score in state.scores]
    kept = scores[state.best_epoch - 1] if scores else DevScore(-1.0, math.inf)
    if (score.accuracy, -score.loss) > (kept.accuracy, -kept.loss):
        state.best_epoch = epoch
        state.best = {k: v.to("cpu", copy=True) for k, v in state.model.state_dict().items()}
    state.scores.append(asdict(score))


def _pairs(cross_encoder: CrossEncoder, candidates: Candidates) -> Pairs:
    return Pairs(
        cross_encoder.tokenizer, candidates.questions, candidates.passages, cross_encoder.form
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
