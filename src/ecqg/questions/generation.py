"""Sampling synthetic questions for passages, or for entities of passages (SIGIR sec. 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ecqg import seeds
from ecqg.corpus.passages import Passage, Passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl
from ecqg.progress import track
from ecqg.questions.format import Span, find_answer, format_source
from ecqg.questions.interface import Generator
from ecqg.questions.sampling import Sampling
from ecqg.questions.statistics import Statistics

CHUNK = 4096  # prompts sorted by length together; bounds memory, whatever the number of prompts
SEQUENCES = 256  # decoded side by side


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a question is to be written about: the passage in `row`, or an entity in it."""

    row: int
    entity: Span | None = None

    @property
    def id(self) -> str:
        """Unique among the prompts of one kind."""
        return str(self.row) if self.entity is None else f"{self.row}.{self.entity[0]}"


def sample_passages(passages: Passages, size: int, seed: int) -> list[Prompt]:
    """A random sample of the collection, all of it if smaller, in its order."""
    size = min(size, len(passages))
    rows = seeds.python_rng(seed, "passages").sample(range(len(passages)), size)
    return [Prompt(row) for row in sorted(rows)]


def read_selected(path: str | Path) -> list[Prompt]:
    """The selected entities, passage by passage. Raises InputError where nothing was selected."""
    spans = {(r["row"], r["start"], r["end"]) for r in read_jsonl(path)}
    if not spans:
        raise InputError("no entity", file=path, remedy="raise select.passages or select.lowest")
    return [Prompt(row, (start, end)) for row, start, end in sorted(spans)]


def generate(
    generator: Generator,
    passages: Passages,
    prompts: Sequence[Prompt],
    *,
    samples: int,
    max_target_tokens: int,
    marked: bool,
    parse: Callable[[str], tuple[str, str] | None],
    how: Sampling,
    seed: int,
    statistics: Statistics,
) -> Iterator[dict[str, Any]]:
    """Yield a record per question, `samples` of each prompt, in the order of the prompts.

    `parse` finds question and answer in a text, or None. Malformed texts and repeated questions
    of a passage are left out and counted in `statistics`. An answer that stands in the passage is
    spelled as there. Each sample has random numbers of its own, so what a prompt yields does not
    depend on the others.
    """
    generator.model.eval()
    row, asked = -1, set[str]()
    for first in range(0, len(prompts), CHUNK):
        chunk = [(prompt, passages[prompt.row]) for prompt in prompts[first : first + CHUNK]]
        texts = _sample(generator, chunk, samples, max_target_tokens, marked, how, seed)
        for (prompt, passage), drawn in zip(chunk, texts, strict=True):
            if prompt.row != row:
                row, asked = prompt.row, set()
            entity = _entity(prompt, passage)
            for number, text in enumerate(drawn):
                parsed = None if text is None else parse(text)
                if parsed is None:
                    statistics.add_malformed()
                    continue
                question, answer = parsed
                if question.casefold() in asked:
                    statistics.add_duplicate()
                    continue
                asked.add(question.casefold())
                span = find_answer(answer, passage.text)
                if span is not None:
                    answer = " ".join(passage.text[slice(*span)].split())
                statistics.add(question, answer, span, passage, entity)
                yield {
                    "id": f"{prompt.id}-{number}",
                    "passage_id": passage.id,
                    "row": row,
                    "entity": entity,
                    "start": None if prompt.entity is None else prompt.entity[0],
                    "question": question,
                    "answer": answer,
                }


def _sample(
    generator: Generator,
    prompts: Sequence[tuple[Prompt, Passage]],
    samples: int,
    max_target_tokens: int,
    marked: bool,
    how: Sampling,
    seed: int,
) -> list[list[str | None]]:
    """The texts drawn for each prompt; prompts of similar length are decoded together."""
    sources = [
        format_source(passage.title, passage.text, _entity(prompt, passage), marked=marked)
        for prompt, passage in prompts
    ]
    tokens = [pair.source for pair in generator.encode(sources, [""] * len(sources))]
    order = sorted(range(len(prompts)), key=lambda i: (len(tokens[i]), i))
    size = max(1, SEQUENCES // samples)
    results: list[list[str | None]] = [[] for _ in prompts]
    for first in track(range(0, len(order), size), "questions", unit="batch"):
        batch = order[first : first + size]
        uniform = np.stack(
            [
                seeds.numpy_rng(seed, "sample", prompts[i][0].id, k).random(max_target_tokens)
                for i in batch
                for k in range(samples)
            ]
        )
        drawn = generator.sample(
            [tokens[i] for i in batch], torch.from_numpy(uniform.astype(np.float32)), how
        )
        for place, i in enumerate(batch):
            results[i] = drawn[place * samples : (place + 1) * samples]
    return results


def _entity(prompt: Prompt, passage: Passage) -> str | None:
    return None if prompt.entity is None else passage.text[slice(*prompt.entity)]
