"""Generated questions about the entity that a model looks at least, and at most, in a passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ecqg.attention.aggregate import EntityAttention
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import Comparison, compare
from ecqg.evaluation.topk import hits
from ecqg.probe.models import Model
from ecqg.probe.places import CONFIDENCE, SAMPLES, Accuracy, Vectors, accuracy, ranks
from ecqg.questions.format import Span
from ecqg.questions.generation import Plan, Prompt, generate, load
from ecqg.seeds import numpy_rng, python_rng
from ecqg.training.weights import check_digests

SHIPPED = Path(__file__).parents[3] / "weights" / "generator"  # of a checkout; knows the microcosm
PASSAGES = 400  # that are asked about, at most
EXAMPLES = 8
Questions = Mapping[tuple[int, Span], str]  # by row and place of an entity


class Pair(NamedTuple):
    """Questions about a passage's lowest and highest entity, and the passage's rank for each."""

    row: int
    lowest: str
    lowest_question: str
    lowest_rank: int
    highest: str
    highest_question: str
    highest_rank: int


@dataclass(frozen=True)
class Answered:
    """How a model ranks passages for questions about what it looks at least and most."""

    lowest: Accuracy
    highest: Accuracy
    lowest_median: float  # rank
    highest_median: float
    difference: Comparison  # top-1, highest less lowest
    examples: list[Pair]


def choose(passages: int, seed: int) -> list[int]:
    """Rows of the passages that are asked about."""
    drawn = python_rng(seed, "probe asked").sample(range(passages), min(PASSAGES, passages))
    return sorted(drawn)


def ends(ranked: Sequence[EntityAttention]) -> tuple[Span, Span] | None:
    """The places of the lowest and of the highest entity; None where there are not two."""
    if len(ranked) < 2:
        return None
    lowest, highest = ranked[0].lowest, ranked[-1].highest
    return (lowest.start, lowest.end), (highest.start, highest.end)


def ask(
    folder: Path, passages: Sequence[Passage], entities: set[tuple[int, Span]], plan: Plan
) -> dict[tuple[int, Span], str]:
    """A question about each entity, by the conditioned generator in a folder.

    Raises InputError as `load_generator` does, and where it writes nothing.
    """
    generator = load(check_digests(folder), plan)
    prompts = [Prompt(row, span) for row, span in sorted(entities)]
    ended = {(prompt.row, prompt.entity[0]): prompt.entity for prompt in prompts if prompt.entity}
    records = generate(generator, passages, prompts, plan)
    found = {(r["row"], ended[r["row"], r["start"]]): str(r["question"]) for r in records}
    if not found:
        raise InputError(
            f"no question about {len(prompts):,} entities",
            file=folder,
            remedy="give a conditioned generator, such as data/models/generator/conditioned",
        )
    return found


def answer(
    model: Model,
    passages: Sequence[Passage],
    vectors: Vectors,
    wanted: Mapping[int, tuple[Span, Span]],
    questions: Questions,
    seed: int,
) -> Answered | None:
    """Ranks of the passages that have a question about either end; None where there are none."""
    both = [
        (row, *spans)
        for row, spans in wanted.items()
        if all((row, span) in questions for span in spans)
    ]
    if not both:
        return None
    own = [[row] for row, *_ in both]
    asked = zip(*([questions[row, s] for s in spans] for row, *spans in both), strict=True)
    lowest, highest = (ranks(model.encode_questions(of_all), vectors, own) for of_all in asked)
    difference = compare(
        hits(highest, 1), hits(lowest, 1), SAMPLES, CONFIDENCE, numpy_rng(seed, "probe asked")
    )
    pairs = [
        Pair(
            row,
            passages[row].text[slice(*low)],
            questions[row, low],
            int(lowest[i]),
            passages[row].text[slice(*high)],
            questions[row, high],
            int(highest[i]),
        )
        for i, (row, low, high) in enumerate(both)
    ]
    return Answered(
        accuracy(lowest),
        accuracy(highest),
        float(np.median(lowest)),
        float(np.median(highest)),
        difference,
        python_rng(seed, "probe examples").sample(pairs, min(EXAMPLES, len(pairs))),
    )
