"""Self-supervised start of a small random encoder, without a single question.

Two tasks on the collection's own passages, each step on a batch of passages with random spans of
2 to 12 tokens of them as stand-ins for questions:

- bag of words: [CLS], of a passage and of a span, predicts the text's distinct word pieces,
  weighted by inverse document frequency;
- in-batch contrast: each span finds its passage among the batch's.

Spans start anywhere in a passage with equal probability, so that no sentence is preferred before
the gold questions prefer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ecqg import seeds
from ecqg.encoder.architectures import cls_vectors
from ecqg.encoder.model import in_batch_loss
from ecqg.encoder.tokens import TOKENIZE_AT_ONCE, Batch, Tokens
from ecqg.params import EncoderPretraining
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.loop import Plan, fit

if TYPE_CHECKING:
    from numpy.random import Generator
    from transformers import BertModel

SHORTEST, LONGEST = 2, 12  # tokens of a span
SPANS = 2  # per passage and step

Ints = NDArray[np.int64]


def pretrain_encoder(
    model: BertModel,
    passages: Tokens,
    settings: EncoderPretraining,
    *,
    seed: int,
    checkpoint: Checkpoint,
) -> None:
    """Train `model` in place on tokenized passages; it ends on the CPU.

    Training resumes from a `checkpoint` of the same training. Raises InputError for a loss that is
    no number.
    """
    device = pick_device()
    torch.manual_seed(seeds.derive(seed, "head"))
    vocabulary = model.config.vocab_size
    head = nn.Linear(model.config.hidden_size, vocabulary).to(device)
    model.to(device)
    weights = torch.from_numpy(inverse_document_frequency(passages, vocabulary)).to(device)
    trained = nn.ModuleList([model, head])

    def batches(epoch: int) -> Iterator[tuple[Ints, Batch]]:
        """Rows of passages, and SPANS spans of each: first one of every row, then another."""
        rng = seeds.numpy_rng(seed, "spans", epoch)
        order = rng.permutation(len(passages))
        for begin in range(0, len(order), settings.batch_size):
            rows = order[begin : begin + settings.batch_size]
            yield rows, random_spans(passages, np.tile(rows, SPANS), rng)

    def gradients(_: int, batch: tuple[Ints, Batch]) -> tuple[torch.Tensor, int]:
        both = passages.batch(batch[0]), batch[1]
        pieces, span_pieces = (distinct_pieces(own, vocabulary).to(device) for own in both)
        vectors, span_vectors = (cls_vectors(model, own.to(device)) for own in both)
        loss = bag_of_words_loss(head(vectors), pieces, weights)
        loss = loss + bag_of_words_loss(head(span_vectors), span_pieces, weights)
        for spans in torch.split(span_vectors, len(vectors)):
            loss = loss + in_batch_loss(spans, vectors, model.config.hidden_size**-0.5) / SPANS
        loss.backward()  # type: ignore[no-untyped-call]
        return loss, 1

    plan = Plan(
        "start encoder",
        settings.epochs,
        -(-len(passages) // settings.batch_size),
        settings.lr,
        "init_encoder.pretraining.lr",
        "init_encoder.pretraining.batch_size",
        matrices_first=True,
    )
    fit(trained, batches, gradients, plan, checkpoint=checkpoint)


def inverse_document_frequency(passages: Tokens, vocabulary: int) -> NDArray[np.float32]:
    """ln(n / df) of every word piece, [vocabulary]; 0 for one that is in all passages or none."""
    frequency = np.zeros(vocabulary, np.int64)
    for begin in range(0, len(passages), TOKENIZE_AT_ONCE):
        bounds = passages.offsets[begin : begin + TOKENIZE_AT_ONCE + 1]
        owners = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        ids = passages.ids[bounds[0] : bounds[-1]]
        distinct = np.unique(owners * vocabulary + ids) % vocabulary
        frequency += np.bincount(distinct, minlength=vocabulary)
    return np.log(len(passages) / frequency.clip(1)).astype(np.float32) * (frequency > 0)


def distinct_pieces(batch: Batch, vocabulary: int) -> torch.Tensor:
    """Text times `vocabulary` plus word piece, [p], of each piece of each text once, ascending.

    How many they are a GPU would be waited for to say: this is for a batch on the CPU.
    """
    pieces: torch.Tensor = torch.unique(batch.slots // batch.mask.shape[1] * vocabulary + batch.ids)
    return pieces


def bag_of_words_loss(
    logits: torch.Tensor, pieces: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Cross-entropy of predicted word pieces, [n, vocabulary], with each text's own.

    A text's target is a distribution over its distinct pieces (`distinct_pieces`), proportional to
    `weights`; a text whose pieces all weigh nothing has no target and no loss.
    """
    n, vocabulary = logits.shape
    owners, ids = pieces // vocabulary, pieces % vocabulary
    share = weights[ids]
    total = share.new_zeros(n).index_add(0, owners, share)
    share = share / total[owners].clamp_min(1e-6)
    hit = logits.new_zeros(n).index_add(0, owners, share * logits[owners, ids])
    mass = share.new_zeros(n).index_add(0, owners, share)
    return (logits.logsumexp(1) * mass - hit).mean()


def random_spans(passages: Tokens, rows: Ints, rng: Generator) -> Batch:
    """One span of each row's title and text, between the sequence's own [CLS] and [SEP].

    Of a sequence with two segments, which have one [SEP] between them, a span skips that.
    """
    begins, second = passages.offsets[rows], passages.second[rows]
    whole = passages.offsets[rows + 1] - begins
    pair = second < whole
    available = whole - 2 - pair
    lengths = np.minimum(rng.integers(SHORTEST, LONGEST + 1, len(rows)), available)
    starts = rng.integers(0, available - lengths + 1)
    offsets = np.concatenate([[0], np.cumsum(lengths + 2)])
    owners = np.repeat(np.arange(len(rows)), lengths + 2)
    places = np.arange(offsets[-1]) + (starts - offsets[:-1])[owners]
    places += pair[owners] & (places >= second[owners] - 1)
    places[offsets[:-1]] = 0
    places[offsets[1:] - 1] = whole - 1
    spans = Tokens(passages.ids[begins[owners] + places], offsets, (lengths + 2).astype(np.int32))
    return spans.batch(np.arange(len(rows)))
