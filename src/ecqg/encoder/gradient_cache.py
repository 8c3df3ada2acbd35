"""Gradients of a loss whose negatives more questions share than are encoded at once.

The loss depends on the encoders through the vectors alone. So the vectors come first, then the
gradient of the loss with respect to them, then each encoder's gradient from that of its vectors.
Between the steps the vectors can come from anywhere:

- from chunks of the batch, encoded one after the other on one device (gradient caching, Gao et al.
  2021, "Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup"). Each chunk but
  the last is encoded twice, first for its vectors, then, with the same dropout masks, for the
  gradient, so that only one chunk's activations are in memory. The last one's still are when the
  gradient of its vectors is known, and it goes back first;
- from other processes, each of which encodes its share (cross-batch negatives, thesis fig. 2.3).
  Vectors are gathered, and each process computes the whole loss, which costs little beside the
  encoders, but goes back through its own vectors only: the sum of the processes' gradients is the
  whole gradient, and no gradient of a vector need travel.

Loss and gradients are those of one process that encodes everything at once, up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from ecqg.encoder.batches import Rows, TrainingSet
from ecqg.encoder.model import in_batch_loss
from ecqg.training.device import random_state, set_random_state
from ecqg.training.distributed import gather_rows, rank, shares

Vectors = tuple[torch.Tensor, torch.Tensor]  # of questions, and of the passages they bring along
Encode = Callable[[Rows], Vectors]


def backward_shared(
    encode: Encode,
    examples: TrainingSet,
    chunks: Sequence[Rows],
    factor: float,
    weight: float,
    device: torch.device,
) -> torch.Tensor:
    """Add the gradient of `weight` times the loss of `chunks`, their negatives shared, to `.grad`.

    `encode` gives the vectors of `examples.batch(rows)`, computed on `device`. Every process is
    given the same chunks and encodes its share of each; what it adds is its part of a sum
    (`sum_gradients`). Returns the whole weighted loss, the same in every process.
    """
    last = len(chunks) - 1
    states, own = [], []
    for number, rows in enumerate(chunks):
        states.append(random_state(device))
        with torch.set_grad_enabled(number == last):
            own.append(_encode_share(encode, rows))
    leaves: list[Vectors] = []
    parts: list[Vectors] = []  # chunk by chunk those of all processes, by rank
    for rows, (questions, passages) in zip(chunks, own, strict=True):
        leaves.append((questions.detach().requires_grad_(), passages.detach().requires_grad_()))
        lengths = [(len(share), len(examples.candidates(share))) for share in shares(rows)]
        gathered = map(gather_rows, leaves[-1], zip(*lengths, strict=True))
        parts += zip(*gathered, strict=True)
    loss = in_batch_loss(*_join(parts), factor) * weight
    gradients = torch.autograd.grad(loss, [vectors for leaf in leaves for vectors in leaf])
    torch.autograd.backward(own.pop(), gradients[-2:])
    for number in reversed(range(last)):
        # Draw the same dropout masks once more, then restore the random numbers.
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            set_random_state(states[number], device)
            vectors = _encode_share(encode, chunks[number])
        torch.autograd.backward(vectors, gradients[2 * number : 2 * number + 2])
    return loss.detach()


def _encode_share(encode: Encode, rows: Rows) -> Vectors:
    """The vectors of this process's share of `rows`, which may be none.

    Nothing has no vectors, yet all processes must have gradients of the same parameters: without
    a share, a process encodes one row and keeps nothing of it, so its gradients are zeros.
    """
    share = shares(rows)[rank()]
    if len(share):
        return encode(share)
    questions, passages = encode(rows[:1])
    return questions[:0], passages[:0]


def _join(parts: Sequence[Vectors]) -> Vectors:
    """One batch of many: all questions, and all positives followed by all hard negatives.

    The order is that of the batch encoded at once, as parts come in the order of its rows.
    """
    if len(parts) == 1:
        return parts[0]
    questions = torch.cat([questions for questions, _ in parts])
    positives = [passages[: len(questions)] for questions, passages in parts]
    negatives = [passages[len(questions) :] for questions, passages in parts]
    return questions, torch.cat(positives + negatives)
