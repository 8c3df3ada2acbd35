"""Exact match and token F1 of SQuAD v2, as its official evaluation script defines them.

Rajpurkar et al. 2018. Answers are compared in lower case, without ASCII punctuation, without the
articles a, an and the, and with single spaces; an empty answer means "not answered here".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ecqg.corpus.normal_form import normalize_answer


def exact(gold: Sequence[str], predicted: str) -> float:
    """1 where `predicted` equals one of the gold answers (none: equals the empty answer)."""
    found = normalize_answer(predicted)
    return float(any(normalize_answer(answer) == found for answer in _accepted(gold)))


def f1(gold: Sequence[str], predicted: str) -> float:
    """The best token F1 over the gold answers; against an empty answer 1 or 0."""
    tokens = normalize_answer(predicted).split()
    return max(_f1(normalize_answer(answer).split(), tokens) for answer in _accepted(gold))


def same_answer(one: str, other: str) -> bool:
    """Whether two answers agree: equal, or one holds the other as whole words.

    "Anna Moor" agrees with "the composer Anna Moor", but not with "Anna Moore". An answer that is
    empty once normalised agrees with nothing.
    """
    a, b = f" {normalize_answer(one)} ", f" {normalize_answer(other)} "
    return bool(a.strip() and b.strip()) and (a in b or b in a)


def _accepted(gold: Sequence[str]) -> list[str]:
    """Gold answers that normalisation leaves something of, else the empty answer alone."""
    return [answer for answer in gold if normalize_answer(answer)] or [""]


def _f1(gold: list[str], predicted: list[str]) -> float:
    if not gold or not predicted:
        return float(gold == predicted)
    common = (Counter(gold) & Counter(predicted)).total()
    if not common:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return 2 * precision * recall / (precision + recall)
