"""Batches by length against their definitions; widths and sides of padding."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ecqg.seeds import python_rng
from ecqg.training.batches import by_budget, pad, padded_width, shuffled_by_length

LENGTHS = [(7 * i) % 31 + 1 for i in range(100)]


def shuffled(number: int) -> list[list[int]]:
    return shuffled_by_length(range(100), 8, LENGTHS.__getitem__, python_rng(number))


def test_shuffled_batches_hold_every_item_once_and_are_even() -> None:
    batches = shuffled(1)
    assert sorted(i for batch in batches for i in batch) == list(range(100))
    spread = [max(s) - min(s) for s in ([LENGTHS[i] for i in batch] for batch in batches)]
    assert max(spread) <= 4
    assert shuffled(1) == batches
    assert shuffled(2) != batches


@pytest.mark.parametrize("longest_first", [False, True])
@given(lengths=st.lists(st.integers(1, 40)), most=st.none() | st.integers(0, 6))
def test_batches_keep_the_budget_and_are_as_large_as_may_be(lengths, most, longest_first) -> None:
    batches = [
        rows.tolist() for rows in by_budget(lengths, 64, most=most, longest_first=longest_first)
    ]
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i] if longest_first else lengths[i])
    assert [row for rows in batches for row in rows] == order

    def fits(rows):
        within = len(rows) * max(lengths[row] for row in rows) <= 64
        return len(rows) == 1 or (within and (most is None or len(rows) <= most))

    assert all(fits(rows) for rows in batches)
    following = [rows[0] for rows in batches[1:]]
    assert not any(fits([*rows, row]) for rows, row in zip(batches, following, strict=False))


def test_batches_by_hand() -> None:
    lengths = np.array([3, 9, 1, 4, 4, 30, 2])
    assert [rows.tolist() for rows in by_budget(lengths, 12)] == [[2, 6, 0], [3, 4], [1], [5]]
    first = [rows.tolist() for rows in by_budget(lengths, 12, longest_first=True)]
    assert first == [[5], [1], [3, 4, 0], [6, 2]]


@given(st.integers(1, 500), st.none() | st.integers(1, 600))
def test_a_multiple_of_eight_that_the_model_has_positions_for(longest, limit) -> None:
    width = padded_width(longest, limit)
    assert longest <= width < longest + 8
    if limit is None or limit >= longest + 7:
        assert width % 8 == 0
    elif limit >= longest:
        assert width <= limit


def test_padding_by_hand() -> None:
    ids, mask = pad([[5, 6], [7]], 9)
    assert ids.dtype == mask.dtype == torch.int64
    assert ids.tolist() == [[5, 6], [7, 9]]
    assert mask.tolist() == [[1, 1], [1, 0]]
    ids, mask = pad([np.array([5, 6], np.int32), [], [7]], -100, 3, "left")
    assert ids.tolist() == [[-100, 5, 6], [-100] * 3, [-100, -100, 7]]
    assert mask.tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 1]]
