"""A reading set on disk: questions on contexts, which train the reader and calibrate it.

A reader that has only ever seen answerable questions cannot reject one, and some data has too few
others (SQuAD v1.1 has none). So questions are put to another context of the same article, which is
about the same things; where an article has a single context, or no title, to any other context.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from random import Random

from ecqg.corpus.folder import Split, sample
from ecqg.corpus.normal_form import normalize_answer
from ecqg.corpus.reading import ReadingExample, write_reading
from ecqg.params import ReadingSet
from ecqg.seeds import python_rng

TRIES = 20  # contexts drawn before a question is given up


def write_split(
    name: str, split: Split, settings: ReadingSet, seed: int, out: Path
) -> dict[str, int]:
    """Write the split `name` to `out`/NAME.json, with unanswerable examples; return counts."""
    rng = python_rng(seed, "corpus", "unanswerable", name)
    examples = with_unanswerable(split.reading, settings.min_unanswerable_share, rng)
    examples = sample(examples, settings.max_examples, seed, f"reading-{name}")
    write_reading(out / f"{name}.json", examples)
    answerable = sum(bool(example.answers) for example in examples)
    counts = {"answerable": answerable, "unanswerable": len(examples) - answerable}
    if split.unread is not None:
        counts["answer_not_found"] = split.unread
    return counts


def with_unanswerable(
    examples: Sequence[ReadingExample], share: float, rng: Random
) -> list[ReadingExample]:
    """`examples`, then as many mismatched ones as bring the unanswerable to `share` of all.

    A question is put to no context in which one of its answers stands (in SQuAD's normal form),
    and to one other context at most, so a share above one half may not be reached.
    """
    answerable = [example for example in examples if example.answers]
    unanswerable = len(examples) - len(answerable)
    wanted = min(len(answerable), ceil((share * len(examples) - unanswerable) / (1 - share)))
    if wanted <= 0:
        return list(examples)
    articles: dict[str, list[str]] = defaultdict(list)
    for example in examples:
        if example.title:
            articles[example.title].append(example.context)
    everywhere = [example.context for example in examples]
    added = []
    for example in rng.sample(answerable, wanted):
        siblings = articles.get(example.title, ())
        several = any(context != example.context for context in siblings)
        context = _other_context(example, siblings if several else everywhere, rng)
        if context is not None:
            name = f"{example.id}-elsewhere"
            added.append(ReadingExample(name, example.question, example.title, context, ()))
    return [*examples, *added]


def _other_context(example: ReadingExample, contexts: Sequence[str], rng: Random) -> str | None:
    answers = [f" {normalize_answer(answer.text)} " for answer in example.answers]
    for _ in range(TRIES):
        context = contexts[rng.randrange(len(contexts))]
        words = f" {normalize_answer(context)} "
        if context != example.context and not any(answer in words for answer in answers):
            return context
    return None
