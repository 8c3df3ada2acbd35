"""Which synthetic questions are kept (SIGIR sec. 2.3), and what that does to their distribution.

First the round trip: a reader that was trained separately must find an answer to the question in
its passage with high confidence (Alberti et al. 2019 also ask that it be the generated answer; an
option here, since the SIGIR paper does not say so). A question about an entity may also have to be
answered by a sentence that names the entity: a generator that takes a fact of another sentence and
puts the entity into its question is not noticed by a reader, which finds the fact all the same.
Then the hard pairs: of those that passed, the ones that the selecting retriever scores low.

The paper describes both for the conditioned questions only; sec. 3.3 takes the unconditioned ones
as they are generated. That is the default; each question set says its filters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.params import Filter
from ecqg.questions.format import find_mentions
from ecqg.reading.squad_score import same_answer
from ecqg.synthesis.records import GENERATED, READ, SCORED, read_aligned
from ecqg.tables import write_table

STEPS = ("generated", "reader", "hard")  # what is counted: before, and after either filter


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the reader and the selecting retriever say about a generated question.

    Without its words: there may be millions.
    """

    id: str
    agrees: bool  # whether the reader's answer is the generated one
    beside: bool | None  # whether its sentence names the entity; None where none is asked about
    confidence: float
    score: float
    sentence: int  # 0-based, of its passage, in which the reader's answer stands


def read_candidates(name: str, passages: Passages) -> Iterator[Candidate]:
    """The generated questions of a set, about `passages`.

    Raises InputError where what the reader and the retriever say is about other questions.
    """
    generated, read_back, scores = paths.generated(name), paths.read(name), paths.scored(name)
    asked = {**GENERATED, "entity": str | None}
    for record, read, scored in read_aligned({generated: asked, read_back: READ, scores: SCORED}):
        passage, entity = passages[record["row"]], record["entity"]
        sentence = passage.sentence_at(read["start"])
        spans = () if entity is None else find_mentions(passage.text, entity)
        yield Candidate(
            record["id"],
            same_answer(record["answer"], read["answer"]),
            None if entity is None else sentence in {passage.sentence_at(at) for at, _ in spans},
            float(read["confidence"]),
            float(scored["score"]),
            sentence,
        )


def apply(
    candidates: Sequence[Candidate], wanted: Collection[str], settings: Filter
) -> dict[str, list[Candidate]]:
    """What is left after each of STEPS, in the order given; a filter not `wanted` leaves all."""
    generated = list(candidates)
    readable = [
        c
        for c in generated
        if "reader" not in wanted
        or (
            c.confidence >= settings.reader_threshold
            and (c.agrees or not settings.require_same_answer)
            and (c.beside is not False or not settings.require_same_sentence)
        )
    ]
    cut = hard_cut([c.score for c in readable], settings) if "hard" in wanted else float("inf")
    hard = [c for c in readable if c.score <= cut]
    return dict(zip(STEPS, (generated, readable, hard), strict=True))


def hard_cut(scores: Sequence[float], settings: Filter) -> float:
    """The highest score that a hard pair may have.

    A quantile is taken over `scores` (those that passed the reader), interpolated linearly; it is
    then the share of pairs that stay.
    """
    if settings.hard_by == "quantile":
        return float(np.quantile(scores, settings.hard_cut)) if scores else float("inf")
    return settings.hard_cut if settings.hard_by == "value" else float("inf")


def metrics(steps: dict[str, list[Candidate]]) -> dict[str, Any]:
    """Counts per step, agreement, and the distribution over sentences, in percent.

    `same_answer` holds, per step, the share of questions to which reader and generator give one
    answer, and `same_sentence` the share whose answer stands in a sentence that names the entity.
    `sentence` holds, per step, the share of questions whose answer the reader finds in sentence 1,
    2, ...: filtering must not quietly favour the first sentence, since the study is about the
    others.
    """
    generated, readable, kept = (steps[name] for name in STEPS)
    return {
        "generated": len(generated),
        "after_reader": len(readable),
        "after_hard": len(kept),
        "kept": _percent(len(kept), len(generated)),
        "same_answer": {
            name: _percent(sum(c.agrees for c in chosen), len(chosen))
            for name, chosen in steps.items()
        },
        "same_sentence": {
            name: _percent(sum(map(bool, found)), len(found))
            for name, chosen in steps.items()
            if (found := [c.beside for c in chosen if c.beside is not None])
        },
        "mean_confidence": _mean([c.confidence for c in generated]),
        "mean_score_after_reader": _mean([c.score for c in readable]),
        "mean_score_after_hard": _mean([c.score for c in kept]),
        "sentence": {
            name: {sentence: share for sentence, _, share in _by_sentence(chosen)}
            for name, chosen in steps.items()
        },
    }


def _by_sentence(candidates: Sequence[Candidate]) -> list[tuple[str, int, float]]:
    """Sentences of answers, counted from 1, without gaps; questions of each, and percent."""
    counts = Counter(c.sentence for c in candidates)
    sentences = range(max(counts, default=-1) + 1)
    return [(str(s + 1), counts[s], _percent(counts[s], len(candidates))) for s in sentences]


def write_sentences(path: Path, steps: dict[str, list[Candidate]]) -> None:
    """Write the same as CSV for plots: step, sentence, questions, percent."""
    rows = (
        (name, sentence, count, f"{share:.6f}")
        for name, chosen in steps.items()
        for sentence, count, share in _by_sentence(chosen)
    )
    write_table(path, ("step", "sentence", "questions", "percent"), rows)


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
