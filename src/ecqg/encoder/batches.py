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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ecqg import seeds
from ecqg.columns import Columns
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage
from ecqg.encoder.token_file import TokenFile
from ecqg.encoder.tokens import (
    TOKENIZE_AT_ONCE,
    Batch,
    Tokens,
    tokenize_passages,
    tokenize_questions,
)
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Encoder, Training
from ecqg.processes import in_blocks
from ecqg.progress import track

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Rows = NDArray[np.int64]
COLUMNS = {"keys": np.uint64, "positives": np.int64, "hard_negatives": np.int64}  # on disk


@dataclass(frozen=True)
class TrainingSet:
    """Examples as tokens; every distinct passage is there once."""

    keys: NDArray[np.uint64]  # [n] of the examples' ids (ecqg.seeds.keys)
    questions: Tokens
    passages: Tokens
    positives: Rows  # [n] each question's first positive, a row of `passages`
    hard_negatives: Rows  # [n, k] its first k hard negatives, -1 where it has fewer

    def __len__(self) -> int:
        return len(self.positives)

    def batch(self, rows: Rows) -> tuple[Batch, Batch]:
        """The questions of `rows`, and their positives followed by their hard negatives."""
        return self.questions.batch(rows), self.passages.batch(self.candidates(rows))

    def candidates(self, rows: Rows | slice) -> Rows:
        """The passages of `batch(rows)`, rows of `passages`."""
        negatives = self.hard_negatives[rows].ravel()
        return np.concatenate([self.positives[rows], negatives[negatives >= 0]])


def build_training_set(
    examples: Iterable[Example],
    passages: Sequence[Passage],
    tokenizer: PreTrainedTokenizerBase,
    settings: Encoder,
    hard_negatives: int,
    folder: Path | None = None,
) -> TrainingSet:
    """Tokenize examples of a collection, read as a stream. The set lies on disk, memory-mapped.

    With a `folder`, a set that an earlier call has written there is what is returned; without one
    its files are temporary. Raises InputError where there are no examples.
    """
    with TemporaryDirectory() as temporary:  # the maps keep the files
        folder = folder or Path(temporary, "set")
        if not folder.is_dir():
            with atomic(folder) as aside:
                _write(aside, examples, passages, tokenizer, settings, hard_negatives)
        nothing = tokenize_passages(tokenizer, [], [], settings.max_passage_tokens)
        rows = Columns(folder / "rows", COLUMNS)
        positives = rows.read("positives")
        negatives = rows.read("hard_negatives").reshape(len(positives), hard_negatives)
        questions = TokenFile(folder / "questions").read(like=nothing)
        of_passages = TokenFile(folder / "passages").read(like=nothing)
        return TrainingSet(rows.read("keys"), questions, of_passages, positives, negatives)


def _write(
    folder: Path,
    examples: Iterable[Example],
    collection: Sequence[Passage],
    tokenizer: PreTrainedTokenizerBase,
    settings: Encoder,
    hard_negatives: int,
) -> None:
    blocks = in_blocks(examples, TOKENIZE_AT_ONCE)
    places_of: dict[int, int] = {}  # of a passage in the set, by its row in the collection
    questions, passages = (TokenFile(folder / name) for name in ("questions", "passages"))
    places = Columns(folder / "rows", COLUMNS)
    for block in track(blocks, "tokenize examples", unit="example", size=len):
        chosen = [(e.positives[0], *e.negatives[:hard_negatives]) for e in block]
        fresh = [row for row in dict.fromkeys(chain.from_iterable(chosen)) if row not in places_of]
        places_of.update(zip(fresh, count(len(places_of)), strict=False))
        table = np.full((len(block), 1 + hard_negatives), -1, np.int64)
        for i, rows in enumerate(chosen):
            table[i, : len(rows)] = [places_of[row] for row in rows]
        keys = seeds.keys(example.id for example in block)
        places.append(keys=keys, positives=table[:, 0], hard_negatives=table[:, 1:].ravel())
        texts, limit = [example.question for example in block], settings.max_question_tokens
        questions.append(tokenize_questions(tokenizer, texts, limit))
        new = [collection[row] for row in fresh]
        titles, texts = [p.title for p in new], [p.text for p in new]
        passages.append(tokenize_passages(tokenizer, titles, texts, settings.max_passage_tokens))
    if not places_of:
        raise InputError("no training examples", remedy="check the stage that wrote them")


def epoch_rows(examples: TrainingSet, one_per_passage: bool, seed: int, epoch: int) -> Rows:
    """The examples that an epoch trains on, in its order: all of them, or one for each positive.

    AugDPR (sec. 3.2) has several questions about a passage and draws one of them in every epoch,
    so that no batch holds a passage as a positive twice, where it would be its own negative.

    The order is a matter of the seed, the epoch and the examples' ids alone. Batches of similar
    length would pad less but would also make the in-batch negatives easier or harder; and were
    places shuffled, one question more, or another, would make all batches other ones, which moved
    accuracies more than half as far as another seed does (docs/results.md).
    """
    order = seeds.order(examples.keys, seed, "batches", epoch)
    if not one_per_passage:
        return order
    drawn = seeds.order(examples.keys, seed, "one per passage", epoch)
    _, first = np.unique(examples.positives[drawn], return_index=True)
    return order[np.isin(order, drawn[first])]


def epoch_batches(rows: Rows, settings: Training) -> Iterator[list[Rows]]:
    """One optimiser step after the other, each a list of micro-batches of `rows` as they come."""
    size = settings.batch_size // settings.accumulation
    for begin in range(0, len(rows), settings.batch_size):
        batch = rows[begin : begin + settings.batch_size]
        yield [batch[i : i + size] for i in range(0, len(batch), size)]
