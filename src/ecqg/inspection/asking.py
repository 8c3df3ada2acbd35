"""Questions that a generator asks about one entity of a passage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ecqg.corpus.passages import Passage
from ecqg.params import Generate, Generator
from ecqg.questions.format import Span, parse_target
from ecqg.questions.generation import Plan, Prompt, generate
from ecqg.questions.model import load_generator
from ecqg.questions.statistics import Statistics
from ecqg.training.device import pick_device

SAMPLES = 3  # drawn for each entity; malformed and repeated ones are left out

Ask = Callable[[Passage, Span], list[tuple[str, str]]]


def asker(folder: Path, settings: Generator, sampling: Generate, seed: int) -> Ask:
    """A function from a passage and characters [start, end) of its text to questions, answers.

    `folder` has the conditioned generator. The same entity is asked about in the same words.
    Raises InputError as `load_generator` does.
    """
    sizes = (settings.max_source_tokens, settings.max_target_tokens, settings.precision)
    model = load_generator(folder, *sizes, pick_device(), training=False)
    plan = Plan(SAMPLES, *sizes, settings.mark_entity, sampling, seed)

    def ask(passage: Passage, span: Span) -> list[tuple[str, str]]:
        alone = [replace(passage, row=0)]
        drawn = generate(model, alone, [Prompt(0, span)], plan, parse_target, Statistics())
        return [(record["question"], record["answer"]) for record in drawn]

    return ask
