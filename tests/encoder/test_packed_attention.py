from __future__ import annotations

from itertools import accumulate

import pytest
import torch
from torch.nn import functional

from ecqg import numerics
from ecqg.encoder.packed_attention import attend_packed

HEADS, HIDDEN = 2, 6
LAYOUTS = [((3, 1, 5), (3, 1, 5)), ((4, 4), (2, 4))]  # packed; padded


def inputs(sizes):
    shape = (sum(sizes), HIDDEN)
    return [torch.randn(shape, dtype=torch.float64, requires_grad=True) for _ in range(3)]


@pytest.fixture(params=[numerics.PORTABLE, numerics.NATIVE], autouse=True)
def way(request, monkeypatch):
    """Products by NumPy and by PyTorch."""
    monkeypatch.setattr(numerics, "mode", lambda: request.param)


@pytest.mark.parametrize(("sizes", "lengths"), LAYOUTS)
def test_context_is_that_of_pytorch_one_sequence_at_a_time(sizes, lengths):
    given = inputs(sizes)
    ours = attend_packed(*given, HEADS, sizes, lengths)
    for end, size, length in zip(accumulate(sizes), sizes, lengths, strict=True):
        q, k, v = (x[end - size : end].view(size, HEADS, -1).transpose(0, 1) for x in given)
        theirs = functional.scaled_dot_product_attention(q, k[:, :length], v[:, :length])
        expected = theirs.transpose(0, 1).reshape(size, HIDDEN)
        torch.testing.assert_close(ours[end - size : end], expected)


@pytest.mark.slow
@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize(("sizes", "lengths"), LAYOUTS)
def test_gradient_is_that_of_finite_differences(sizes, lengths, dropout):
    def attend(*given):
        torch.manual_seed(1)  # the same weights are dropped each time
        return attend_packed(*given, HEADS, sizes, lengths, dropout)

    assert torch.autograd.gradcheck(attend, inputs(sizes))


def test_dropout_drops_its_share_and_keeps_the_mean():
    tokens = 200
    query, key = (torch.zeros(tokens, HIDDEN) for _ in range(2))  # weights are all 1 / tokens
    value = torch.ones(tokens, HIDDEN)
    context = attend_packed(query, key, value, HEADS, [tokens], [tokens], 0.25)
    kept = context * 0.75  # the share of the weights that was kept
    assert kept.mean().item() == pytest.approx(0.75, abs=0.02)
    assert context.std() > 0
