"""Hard negatives: passages that BM25 ranks high for a question and that do not answer it.

DPR (Karpukhin et al. 2020, sec. 3.2) takes the top BM25 passages without the answer; the SIGIR
paper (sec. 3.3) follows them for synthetic questions. The AugDPR paper (sec. 2) and the thesis draw
one without the generated answer. Here synthetic questions have the reader's answer beside it
(ecqg.stages.training_sets): a passage that holds the reader's answer is no negative either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, tee
from pathlib import Path

from ecqg import params
from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.lines import count_lines
from ecqg.corpus.passages import Passages
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.hits import Search
from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.processes import in_blocks
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.seeds import python_rng
from ecqg.shards import map_rest

BLOCK = 100  # examples held at a time


def mine(
    name: str,
    source: Path,
    target: Path,
    store: Path,
    bm25: params.BM25,
    negatives: params.Negatives,
    *,
    seed: int | None = None,
) -> None:
    """Write the examples of `source`, which are of the collection `store`, with hard negatives.

    `name` is shown; with a `seed` negatives are drawn (`add_negatives`). A killed call is resumed.
    """
    total = count_lines(source)
    passages = Passages(store)
    counts: Counter[int] = Counter()

    def counted(examples: Iterable[Example]) -> Iterator[Example]:
        for example in examples:
            counts[len(example.negatives)] += 1
            yield example

    work = f"negatives-{name}"
    with resumable(__name__, work, [store, source], negatives, bm25, seed) as resume_dir:
        if not total:
            write_examples(target, ())
            return
        task = Mine(store, lucene_index(store), bm25, negatives, seed)
        examples = _with_negatives(
            read_examples(source, passages), resume_dir, lambda rest: run(task, rest)
        )
        bar = track(examples, f"negatives {name}", total=total, unit="question")
        write_examples(target, counted(bar))
    print(f"negatives {name}: {counts.total()} questions, {counts[0]} without a hard negative")


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
        per_question: negatives of each; fewer, even none, where fewer of the `depth` passages are
            neither a positive nor hold an answer.
        seed: draws them, for each question by itself; without it, the highest-ranked.
        resume_dir: a folder for results, from which the same work is resumed (`map_rest`).
    """
    rows = chooser(passages, search, depth, per_question, seed)
    return _with_negatives(examples, resume_dir, partial(map, rows))


def _with_negatives(
    examples: Iterable[Example],
    resume_dir: Path | None,
    mapped: Callable[[Iterator[list[Example]]], Iterator[list[list[int]]]],
) -> Iterator[Example]:
    blocks, ahead = tee(in_blocks(examples, BLOCK))
    for block, rows in zip(blocks, map_rest(resume_dir, ahead, mapped), strict=True):
        for example, negatives in zip(block, rows, strict=True):
            yield replace(example, negatives=tuple(negatives))


def chooser(
    passages: Passages, search: Search, depth: int, per_question: int, seed: int | None
) -> Callable[[list[Example]], list[list[int]]]:
    """What gives a block of examples its negatives; see `add_negatives`."""
    matcher = AnswerMatcher(passages)

    def chosen(example: Example, ranked: list[int]) -> list[int]:
        wrong = (
            row
            for row in ranked
            if row not in example.positives and not matcher.has_answer(example.answers, row)
        )
        if seed is None:
            return list(islice(wrong, per_question))
        every, positives = list(wrong), [passages[row].id for row in example.positives]
        rng = python_rng(seed, "negatives", example.question, *positives)
        return rng.sample(every, min(per_question, len(every)))

    def rows(block: list[Example]) -> list[list[int]]:
        hits = search([example.question for example in block], depth)
        return [
            chosen(example, ranked.tolist())
            for example, (ranked, _) in zip(block, hits, strict=True)
        ]

    return rows


@dataclass(frozen=True)
class Mine(Task[list[Example], list[list[int]]]):
    """Hard negatives of blocks of examples, of the collection `store` by its Lucene index."""

    store: Path
    index: Path
    bm25: params.BM25
    negatives: params.Negatives
    seed: int | None

    def start(self) -> Callable[[list[Example]], list[list[int]]]:
        """Open collection and index."""
        search = BM25(self.index, k1=self.bm25.k1, b=self.bm25.b).search
        of = self.negatives
        return chooser(Passages(self.store), search, of.depth, of.per_question, self.seed)

    def name(self, block: list[Example]) -> str:
        """The first question and the last."""
        return f"the questions {block[0].id} to {block[-1].id}"
