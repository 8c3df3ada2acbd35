"""Span decoding against a brute-force twin."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.reading.predict import best_spans


def brute_force(start, end, may_start, may_end, limit):
    best, total = (-math.inf, 0, 0), 0.0
    for first in range(len(start)):
        for last in range(first, min(len(start), first + limit)):
            if may_start[first] and may_end[last]:
                score = start[first] + end[last]
                total += math.exp(score)
                if score > best[0]:
                    best = (score, first, last)
    return best, math.log(total) if total else -math.inf


# multiples of 1/4 add up exactly, so that ties are ties in both
score = st.integers(-12, 12).map(lambda n: n / 4)


@settings(deadline=None)
@given(data=st.data())
def test_decoding_is_brute_force(data: st.DataObject) -> None:
    windows, tokens = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 9))
    limit = data.draw(st.integers(1, 12))

    def table(values):
        row = st.lists(values, min_size=tokens, max_size=tokens)
        return data.draw(st.lists(row, min_size=windows, max_size=windows))

    start, end = table(score), table(score)
    may_start, may_end = table(st.booleans()), table(st.booleans())
    got = best_spans(*map(torch.tensor, (start, end, may_start, may_end)), limit)
    for row in range(windows):
        (value, first, last), mass = brute_force(
            start[row], end[row], may_start[row], may_end[row], limit
        )
        assert got.score[row].item() == value
        assert got.mass[row].item() == pytest.approx(mass, abs=1e-5)
        assert got.null[row].item() == start[row][0] + end[row][0]
        if value > -math.inf:
            assert (got.first[row].item(), got.last[row].item()) == (first, last)


def test_the_longest_answer_is_bounded() -> None:
    start = torch.tensor([[0.0, 9, 0, 0, 0]])
    end = torch.tensor([[0.0, 0, 0, 1, 9]])
    words = torch.tensor([[False, True, True, True, True]])
    got = best_spans(start, end, words, words, 3)
    assert (got.first.item(), got.last.item(), got.score.item()) == (1, 3, 10)
