"""Hard negatives: passages that BM25 ranks high for a question and that do not answer it.

DPR (Karpukhin et al. 2020, sec. 3.2) takes the top BM25 passages without the answer; the SIGIR
paper does so for synthetic questions with the generated answer. The AugDPR paper (sec. 3) and the
thesis draw one of them for a synthetic question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passages
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.lexical.hits import Search
from ecqg.seeds import python_rng
from ecqg.shards import map_in_blocks

BLOCK = 100  # examples held at a time


def add_negatives(
    examples: Iterable[Example],
    passages: Passages,
    search: Search,
    *,
    depth: int,
    per_question: int,
    seed: int | None = None,
    resume_dir: Path | None = None,
) -> Iterator[Example]:
    """The same examples, each with new hard negatives, as a stream.

    Args:
        examples: questions with answers and positive passages.
        passages: the collection that is searched.
        search: finds passages for questions; its rows are rows of `passages`.
        depth: passages looked at for each question.
        per_question: negatives kept; fewer, even none, where fewer of the `depth` passages are
            neither a positive nor hold an answer.
        seed: draws which are kept, for each question by itself; without it, the highest-ranked.
        resume_dir: a folder for what was found, from which the same work goes on (`map_in_blocks`).
    """
    matcher = AnswerMatcher(passages)

    def negatives(example: Example, ranked: list[int]) -> Iterator[int]:
        for row in ranked:
            if row not in example.positives and not matcher.has_answer(example.answers, row):
                yield row

    def chosen(example: Example, ranked: list[int]) -> list[int]:
        found = negatives(example, ranked)
        if seed is None:
            return list(islice(found, per_question))
        every, positives = list(found), [passages[row].id for row in example.positives]
        rng = python_rng(seed, "negatives", example.question, *positives)
        return rng.sample(every, min(per_question, len(every)))

    def rows(block: list[Example]) -> list[list[int]]:
        found = search([example.question for example in block], depth)
        return [
            chosen(example, ranked.tolist())
            for example, (ranked, _) in zip(block, found, strict=True)
        ]

    for example, found in map_in_blocks(resume_dir, examples, BLOCK, rows):
        yield replace(example, negatives=tuple(found))
