"""Hard negatives: passages that BM25 ranks high for a question and that do not answer it.

DPR (Karpukhin et al. 2020, sec. 3.2) takes the top BM25 passages without the answer; the SIGIR
paper does so for synthetic questions with the generated answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ecqg.corpus.examples import Context, Example
from ecqg.corpus.passages import Passages
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.lexical.hits import Search

BLOCK = 2_000  # examples held at a time


def add_negatives(
    examples: Iterable[Example],
    passages: Passages,
    search: Search,
    *,
    depth: int,
    per_question: int,
) -> Iterator[Example]:
    """The same examples, each with new hard negatives, as a stream.

    Args:
        examples: questions with answers and positive passages.
        passages: the collection that is searched.
        search: finds passages for questions; its rows are rows of `passages`.
        depth: passages looked at for each question.
        per_question: negatives kept, the highest-ranked ones; fewer, even none, where fewer of
            the `depth` passages are neither a positive nor hold an answer.
    """
    matcher = AnswerMatcher(passages)
    stream = iter(examples)
    while block := list(islice(stream, BLOCK)):
        found = search([example.question for example in block], depth)
        for example, (rows, _) in zip(block, found, strict=True):
            positives = {context.passage_id for context in example.positives}
            negatives = (
                Context(passage.id, passage.title, passage.text)
                for row in rows.tolist()
                if not matcher.has_answer(example.answers, row)
                and (passage := passages[row]).id not in positives
            )
            kept = tuple(islice(negatives, per_question))
            yield replace(example, hard_negatives=kept)
