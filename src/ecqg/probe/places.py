"""What a model finds, by the place of the answer.

Two views. By the sentence in which answers stand, as they stand: what is asked about late sentences
may be harder to find in itself. And with the same questions after the answer's sentence was moved,
to the front of its passage and to its end: all that differs is the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.looking import look_at
from ecqg.corpus.passages import Passage
from ecqg.evaluation.bootstrap import Comparison, compare
from ecqg.evaluation.topk import hits, top_k_accuracy
from ecqg.probe.looks import SENTENCES, sentence_name
from ecqg.probe.models import Model
from ecqg.probe.texts import ProbeQuery
from ecqg.seeds import numpy_rng, python_rng

KS = (1, 5, 20, 100)
MOVED = 500  # questions whose answer's sentence is moved, at most
SAMPLES, CONFIDENCE = 2000, 0.95
AT_ONCE = 16_384  # passages that are scored together
Vectors = NDArray[np.float32]
Ranks = NDArray[np.int64]


@dataclass(frozen=True)
class Accuracy:
    """Of questions whose answers stand in one place."""

    questions: int
    top: dict[str, float]  # by k: percent of questions with a passage that answers among the k best


@dataclass(frozen=True)
class Moved:
    """The same questions, with the answer's sentence first and last in its passage."""

    questions: int
    front: dict[str, float]  # top-k accuracy
    end: dict[str, float]
    difference: Comparison  # top-1, front less end


@dataclass(frozen=True)
class Found:
    """Accuracy in all, by sentence, by half of the passage's text, and of moved sentences."""

    all: Accuracy
    sentences: dict[str, Accuracy]
    halves: dict[str, Accuracy]  # first, second
    moved: Moved | None  # None where no answer's place is known, or passages have one sentence


def find(
    model: Model,
    passages: Sequence[Passage],
    vectors: Vectors,
    queries: Sequence[ProbeQuery],
    seed: int,
) -> Found:
    """Rank all passages for each question; `vectors` [passages, dimensions] are the model's."""
    questions = model.encode_questions([one.text for one in queries])
    found = ranks(questions, vectors, [one.rows for one in queries])
    placed = [i for i, one in enumerate(queries) if one.start is not None]
    starts = {i: (passages[queries[i].rows[0]], queries[i].start or 0) for i in placed}
    at = {i: passage.sentence_at(start) for i, (passage, start) in starts.items()}
    late = {i: 2 * start >= len(passage.text) for i, (passage, start) in starts.items()}

    def of(which: Callable[[int], bool]) -> Accuracy:
        return accuracy(found[[i for i in placed if which(i)]])

    sentences = {
        sentence_name(s): of(lambda i, s=s: min(at[i], SENTENCES) == s)  # type: ignore[misc]
        for s in sorted({min(number, SENTENCES) for number in at.values()})
    }
    halves = {
        name: of(lambda i, second=second: late[i] is second)  # type: ignore[misc]
        for name, second in (("first", False), ("second", True))
        if second in late.values()
    }
    several = [i for i in placed if len(starts[i][0].sentence_starts) > 1]
    chosen = python_rng(seed, "probe moved").sample(several, min(MOVED, len(several)))
    moved = None
    if chosen:
        some = [queries[i] for i in sorted(chosen)]
        moved = _move(model, passages, vectors, some, questions[sorted(chosen)], seed)
    return Found(accuracy(found), sentences, halves, moved)


def accuracy(found: Ranks) -> Accuracy:
    """That of ranks from 1."""
    return Accuracy(len(found), _tops(found))


def _tops(found: Ranks) -> dict[str, float]:
    return {str(k): top_k_accuracy(found, k) for k in KS}


def ranks(
    questions: Vectors,
    vectors: Vectors,
    own: Sequence[Sequence[int]],
    scores: NDArray[np.float32] | None = None,
) -> Ranks:
    """The rank, from 1, of the best of each question's `own` passages among all.

    Args:
        questions: [n, dimensions].
        vectors: [passages, dimensions].
        own: rows of the passages that answer each question; they do not push each other down.
        scores: [n] in the place of those of the best of its own passages.
    """
    if scores is None:
        best = [max(vectors[[*rows]] @ q) for q, rows in zip(questions, own, strict=True)]
        scores = np.array(best, np.float32)
    places = [(i, row) for i, rows in enumerate(own) for row in rows]
    which, rows = np.array(places, np.int64).reshape(-1, 2).T
    found = np.ones(len(questions), np.int64)
    for begin in range(0, len(vectors), AT_ONCE):
        block = questions @ vectors[begin : begin + AT_ONCE].T
        here = (rows >= begin) & (rows < begin + AT_ONCE)
        block[which[here], rows[here] - begin] = -np.inf
        found += (block > scores[:, None]).sum(1)
    return found


def _move(
    model: Model,
    passages: Sequence[Passage],
    vectors: Vectors,
    queries: Sequence[ProbeQuery],
    questions: Vectors,
    seed: int,
) -> Moved:
    found = {}
    for front in (True, False):
        changed = [
            replace(move_sentence(passages[one.rows[0]], one.start or 0, front=front), row=i)
            for i, one in enumerate(queries)
        ]
        what = f"{model.name}: answers {'first' if front else 'last'}"
        of_changed = look_at(
            model.passage, model.passage_tokenizer, changed, model.max_tokens, what
        )
        moved = model.comparable(np.stack([vector for _, vector in of_changed]))
        scores = np.einsum("nd,nd->n", questions, moved)
        found[front] = ranks(questions, vectors, [one.rows for one in queries], scores)
    first, last = (hits(found[front], 1) for front in (True, False))
    rng = numpy_rng(seed, "probe moved")
    difference = compare(first, last, SAMPLES, CONFIDENCE, rng)
    return Moved(len(queries), _tops(found[True]), _tops(found[False]), difference)


def move_sentence(passage: Passage, start: int, *, front: bool) -> Passage:
    """The passage with the sentence that holds the character `start` first, or else last."""
    own = passage.sentence_at(start)
    texts = [passage.text[a:b].strip() for a, b in passage.sentences()]
    rest = texts[:own] + texts[own + 1 :]
    ordered = [texts[own], *rest] if front else [*rest, texts[own]]
    starts = np.cumsum([0, *(len(text) + 1 for text in ordered[:-1])]).tolist()
    return replace(passage, text=" ".join(ordered), sentence_starts=tuple(starts))
