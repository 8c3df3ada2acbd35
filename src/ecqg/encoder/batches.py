"""Training batches of a dual encoder.

`batch_size` counts the questions of one optimiser step and `accumulation` the micro-batches that
they are cut into, so 1024 and 8 mean eight micro-batches of 128 questions, the gradient being
that of their mean loss. With `share_negatives: micro_batch` negatives are shared within a
micro-batch only, as when DPR accumulates; this reading makes the papers' numbers agree (thesis
tab. 4.7: 512 / 8 and 64 / 1, and the text says 64 in-batch negatives). With `batch` all questions
of the step share theirs, and the micro-batches are only how many are encoded at a time
(ecqg.encoder.gradient_cache); `accumulation` then changes memory and time, and results by
rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg import seeds
from ecqg.corpus.examples import Context, Example
from ecqg.encoder.tokens import Batch, Tokens, tokenize_passages, tokenize_questions
from ecqg.errors import InputError
from ecqg.params import Encoder, Training

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Rows = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class TrainingSet:
    """Examples as tokens; every distinct passage is tokenized and kept once."""

    questions: Tokens
    passages: Tokens
    positives: Rows  # [n] each question's first positive, a row of `passages`
    hard_negatives: Rows  # [n, k] its first k hard negatives, -1 where it has fewer

    def __len__(self) -> int:
        return len(self.positives)

    def batch(self, rows: Rows) -> tuple[Batch, Batch]:
        """The questions of `rows`, and their positives followed by their hard negatives."""
        negatives = self.hard_negatives[rows].ravel()
        passages = np.concatenate([self.positives[rows], negatives[negatives >= 0]])
        return self.questions.batch(rows), self.passages.batch(passages)

    def passages_of(self, rows: Rows) -> int:
        """How many passages `batch(rows)` has."""
        return len(rows) + int((self.hard_negatives[rows] >= 0).sum())


def build_training_set(
    examples: Sequence[Example],
    tokenizer: PreTrainedTokenizerBase,
    settings: Encoder,
    hard_negatives: int,
) -> TrainingSet:
    """Tokenize examples. Raises InputError where one has no positive passage, or none is given."""
    if not examples:
        raise InputError("no training examples", remedy="check the stage that wrote them")
    rows: dict[Context, int] = {}
    positives = np.zeros(len(examples), np.int64)
    negatives = np.full((len(examples), hard_negatives), -1, np.int64)
    for i, example in enumerate(examples):
        if not example.positives:
            raise InputError(
                f"the question {example.question!r} has no positive passage",
                remedy="give every training example a positive_ctxs entry",
            )
        positives[i] = rows.setdefault(example.positives[0], len(rows))
        for j, context in enumerate(example.hard_negatives[:hard_negatives]):
            negatives[i, j] = rows.setdefault(context, len(rows))
    return TrainingSet(
        tokenize_questions(tokenizer, [e.question for e in examples], settings.max_question_tokens),
        tokenize_passages(
            tokenizer, [c.title for c in rows], [c.text for c in rows], settings.max_passage_tokens
        ),
        positives,
        negatives,
    )


def steps_per_epoch(examples: int, settings: Training) -> int:
    """Optimiser steps in an epoch; the last, smaller batch counts."""
    return -(-examples // settings.batch_size)


def epoch_rows(examples: TrainingSet, one_per_passage: bool, seed: int, epoch: int) -> Rows:
    """The examples that an epoch trains on, ascending: all of them, or one for each positive.

    AugDPR (sec. 3) has several questions about a passage and draws one of them in every epoch,
    so that no batch holds a passage as a positive twice, where it would be its own negative.
    """
    if not one_per_passage:
        return np.arange(len(examples))
    order = seeds.numpy_rng(seed, "one per passage", epoch).permutation(len(examples))
    _, first = np.unique(examples.positives[order], return_index=True)
    return np.sort(order[first])


def epoch_batches(rows: Rows, settings: Training, seed: int, epoch: int) -> Iterator[list[Rows]]:
    """One optimiser step after the other, each a list of micro-batches of `rows`.

    Which questions share a batch is a matter of the seed and the epoch alone: batches of similar
    length would pad less but would also make the in-batch negatives easier or harder.
    """
    order = seeds.numpy_rng(seed, "batches", epoch).permutation(len(rows))
    size = settings.batch_size // settings.accumulation
    for begin in range(0, len(rows), settings.batch_size):
        batch = rows[order[begin : begin + settings.batch_size]]
        yield [batch[i : i + size] for i in range(0, len(batch), size)]


def sharing(micro_batches: list[Rows], settings: Training) -> list[list[Rows]]:
    """The micro-batches of a step, together with those that they share negatives with."""
    if settings.share_negatives == "batch":
        return [micro_batches]
    return [[rows] for rows in micro_batches]


def check_training(settings: Training) -> None:
    """Raise InputError where a batch cannot be cut as asked."""
    if settings.batch_size % settings.accumulation:
        raise InputError(
            f"batch_size {settings.batch_size} is no multiple of accumulation "
            f"{settings.accumulation}",
            file="params.yaml",
            remedy="batch_size counts the questions of all micro-batches of a step",
        )
