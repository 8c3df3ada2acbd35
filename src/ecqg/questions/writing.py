"""Questions from files to files: a generator's folder, a collection, and a file of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ecqg.corpus.passages import Passages
from ecqg.files import write_jsonl
from ecqg.questions.generation import Plan, Prompt, generate
from ecqg.questions.model import load_generator
from ecqg.questions.statistics import Statistics
from ecqg.resume import resumable
from ecqg.training.device import pick_device


def write_questions(
    name: str,
    output: Path,
    generator: Path,
    passages: Path,
    prompts: Sequence[Prompt],
    plan: Plan,
    parse: Callable[[str], tuple[str, str] | None],
) -> Statistics:
    """Write the records of `generate`, drawn by the generator in a folder, and say what they are.

    `name` is that of the work: when it is stopped and starts again with the same files, prompts
    and plan, it goes on where it was. Raises InputError as `load_generator` does.
    """
    loaded = load_generator(
        generator,
        plan.max_source_tokens,
        plan.max_target_tokens,
        plan.precision,
        pick_device(),
        training=False,
    )
    collection = Passages(passages)
    statistics = Statistics()
    places = [(prompt.row, prompt.entity) for prompt in prompts]
    with resumable(__name__, name, [generator, passages], places, plan) as folder:
        records = generate(loaded, collection, prompts, plan, parse, statistics, folder)
        write_jsonl(output, records)
    return statistics
