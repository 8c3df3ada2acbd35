"""How much of a question stands in the passage that answers it (AugDPR sec. 4).

High coverage favours term matching. Published, in percent: BioASQ 72.1, NQ 58.6, TriviaQA 63.0. The
coverage of a question is the share of its distinct words that occur in its gold passage, the mean
over questions is reported. The paper does not say whether stop words count, so both are measured:
all words, as it is written, and those that are no stop words. The title belongs to the passage,
since term matching searches it too.

Where a test set has relevance judgements they say which passages answer a question; if several do,
the mean of their shares is the question's. Other test sets name answers, not passages: there the
first passage in BM25's order that holds an answer stands for the gold one, which is how DPR makes
the positive passages of TriviaQA and WebQuestions (Karpukhin et al. 2020, sec. 4.2). That rule may
favour coverage, since BM25 puts passages with words of the question first. Questions without a
passage are counted and left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ecqg.corpus.passages import Passage
from ecqg.corpus.qrels import Qrels
from ecqg.corpus.questions import Question
from ecqg.corpus.words import stop_words, words
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking
from ecqg.evaluation.topk import first_hits


def mean_coverage(pairs: Iterable[tuple[str, Sequence[Passage]]]) -> dict[str, float | None]:
    """Coverage in percent over questions, each with the passages that answer it.

    `questions` is the number of those that have a passage, `words` the mean over them,
    `content_words` the mean over those with a word that is no stop word; means over nothing are
    None.
    """
    shares: dict[str, list[float]] = {"words": [], "content_words": []}
    for question, passages in pairs:
        every = frozenset(words(question))
        held = [frozenset(words(f"{p.title} {p.text}")) for p in passages]
        for name, chosen in (("words", every), ("content_words", every - stop_words())):
            if chosen and held:
                covered = [len(chosen & these) / len(chosen) for these in held]
                shares[name].append(float(np.mean(covered)))
    means = {name: 100 * float(np.mean(of)) if of else None for name, of in shares.items()}
    return {"questions": len(shares["words"]), **means}


def judged_rows(
    questions: Sequence[Question], qrels: Qrels, rows: Mapping[str, int]
) -> list[list[int]]:
    """For each question the rows of the passages that are judged relevant to it."""
    of_questions = (qrels.get(question.id, {}) for question in questions)
    return [[rows[name] for name, relevance in of.items() if relevance > 0] for of in of_questions]


def answering_rows(
    questions: Sequence[Question],
    rankings: Iterable[Ranking],
    matcher: AnswerMatcher,
    rows: Mapping[str, int],
) -> list[list[int]]:
    """For each question the row of the first retrieved passage with an answer, if there is one.

    Arguments are those of `first_hits`.
    """
    known = {ranking.question_id: ranking for ranking in rankings}
    ranks = first_hits(questions, known.values(), matcher, rows).tolist()
    return [
        [rows[known[question.id].passage_ids[rank - 1]]] if rank else []
        for question, rank in zip(questions, ranks, strict=True)
    ]
