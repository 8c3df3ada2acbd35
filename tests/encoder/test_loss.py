from __future__ import annotations

import math

import torch

from ecqg.encoder.model import in_batch_loss


def test_two_questions_by_hand():
    """Scores 2, 0, 1 (positive first) and 0, 3, 1 (positive second), one hard negative each."""
    questions = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    passages = torch.tensor([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0]])
    first = -math.log(math.e**2 / (math.e**2 + 1 + math.e))
    second = -math.log(math.e**3 / (1 + math.e**3 + math.e))
    assert math.isclose(
        in_batch_loss(questions, passages).item(), (first + second) / 2, rel_tol=1e-6
    )


def test_the_factor_scales_scores():
    questions, passages = torch.randn(3, 4), torch.randn(5, 4)
    assert torch.allclose(
        in_batch_loss(questions, passages, 0.5), in_batch_loss(questions * 0.5, passages)
    )


def test_values_and_gradients_equal_a_loop():
    torch.manual_seed(0)
    questions = torch.randn(4, 6, requires_grad=True)
    passages = torch.randn(7, 6, requires_grad=True)
    loss = in_batch_loss(questions, passages, 0.7)
    got = torch.autograd.grad(loss, (questions, passages))

    total = torch.zeros(())
    for i in range(4):
        exponentials = [torch.exp(0.7 * (questions[i] * passages[j]).sum()) for j in range(7)]
        total = total - torch.log(exponentials[i] / sum(exponentials)) / 4
    want = torch.autograd.grad(total, (questions, passages))

    torch.testing.assert_close(loss, total)
    for ours, theirs in zip(got, want, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)
    # Every passage, also another question's hard negative, is pushed away.
    assert (got[1].abs().sum(1) > 0).all()
