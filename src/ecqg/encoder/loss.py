"""In-batch negatives with hard negatives (thesis eq. 2.8; DPR's BiEncoderNllLoss)."""

from __future__ import annotations

import torch
from torch.nn import functional


def in_batch_loss(
    questions: torch.Tensor, passages: torch.Tensor, factor: float = 1.0
) -> torch.Tensor:
    """Mean negative log-likelihood of each question's positive among all passages of the batch.

    `questions` is [n, hidden]; `passages` is [m, hidden], m >= n, where passage i < n is the
    positive of question i and every other passage, other questions' positives and everybody's
    hard negatives, is a negative of question i. Scores are dot products times `factor`, in fp32.
    A passage that happens to be in the batch twice counts as a negative there, as in DPR.
    """
    scores = questions.float() @ passages.float().T * factor
    return functional.cross_entropy(scores, torch.arange(len(questions), device=scores.device))
