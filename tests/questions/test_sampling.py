from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ecqg.params import Generate
from ecqg.questions.sampling import State, decode, draw, nucleus

LOGITS = torch.tensor([[1.0, 3.0, 2.0, -1.0, 0.0]])


@st.composite
def logits_and_truncation(draw_: st.DrawFn) -> tuple[torch.Tensor, Generate]:
    values = draw_(st.lists(st.integers(-40, 40), min_size=1, max_size=12, unique=True))
    how = Generate(
        top_k=draw_(st.integers(0, 14)),
        top_p=draw_(st.sampled_from([0.05, 0.3, 0.5, 0.83, 0.95, 1.0])),
        temperature=draw_(st.sampled_from([0.5, 1.0, 1.7])),
        attempts=1,
    )
    return torch.tensor([values], dtype=torch.float32) / 10, how


def by_hand(logits: list[float], how: Generate) -> dict[int, float]:
    """Probabilities after truncation, written without tensors."""
    order = sorted(range(len(logits)), key=lambda i: -logits[i])[: how.top_k or None]
    weights = {i: math.exp(logits[i] / how.temperature) for i in order}
    total, kept, mass = sum(weights.values()), {}, 0.0
    for i in order:
        if mass >= how.top_p and how.top_p < 1:
            break
        kept[i] = weights[i] / total
        mass += kept[i]
    return {i: p / sum(kept.values()) for i, p in kept.items()}


@given(logits_and_truncation())
def test_truncation_equals_a_twin_by_hand(case: tuple[torch.Tensor, Generate]) -> None:
    logits, how = case
    probabilities, tokens = nucleus(logits, how)
    got = {t: p for t, p in zip(tokens[0].tolist(), probabilities[0].tolist(), strict=True) if p}
    expected = by_hand(logits[0].tolist(), how)
    assert got.keys() == expected.keys()
    assert all(got[t] == pytest.approx(expected[t], abs=1e-5) for t in got)


@given(logits_and_truncation())
def test_truncation_equals_that_of_transformers(case: tuple[torch.Tensor, Generate]) -> None:
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    logits, how = case
    warpers = [TemperatureLogitsWarper(how.temperature), TopPLogitsWarper(how.top_p)]
    if how.top_k:
        warpers.insert(1, TopKLogitsWarper(how.top_k))
    warped = logits
    for warper in warpers:
        warped = warper(torch.zeros(1, 1, dtype=torch.long), warped)
    probabilities, tokens = nucleus(logits, how)
    ours = torch.zeros_like(logits).scatter(-1, tokens, probabilities)
    torch.testing.assert_close(ours, warped.softmax(-1), atol=1e-5, rtol=0)


def test_draws_follow_the_probabilities() -> None:
    how = Generate(1.0, 3, 1.0, 1)
    uniform = (torch.arange(10_000) + 0.5) / 10_000
    drawn = draw(LOGITS.expand(10_000, -1), uniform, how)
    shares = torch.bincount(drawn, minlength=5) / 10_000
    expected = torch.softmax(torch.tensor([1.0, 3.0, 2.0]), -1)
    torch.testing.assert_close(shares[:3], expected, atol=2e-4, rtol=0)
    assert shares[3:].sum() == 0


def test_the_largest_uniform_number_stays_inside_the_nucleus() -> None:
    drawn = draw(LOGITS, torch.tensor([1 - 2**-24]), Generate(0.7, 0, 1.0, 1))
    assert drawn.tolist() == [2]  # 3.0 alone has 0.64, with 2.0 it is 0.88


class Counting:
    """Each sequence counts up from its start; token 9 ends it."""

    def __init__(self, size: int) -> None:
        self.size, self.kept = size, [size]

    def advance(self, last: torch.Tensor) -> torch.Tensor:
        assert len(last) == self.size
        return torch.nn.functional.one_hot(last + 1, 12) * 50.0

    def keep(self, rows: torch.Tensor) -> None:
        self.size = len(rows)
        self.kept.append(self.size)


def test_decoding_ends_each_sequence_by_itself() -> None:
    counting = Counting(4)
    state = State(counting.advance, counting.keep)
    drawn = decode(
        state, torch.tensor([7, 0, 8, 4]), torch.full((4, 5), 0.5), Generate(1.0, 1, 1.0, 1), end=9
    )
    assert drawn == [[8], None, [], [5, 6, 7, 8]]
    assert counting.kept == [4, 3, 2, 1]  # finished sequences are not computed further
