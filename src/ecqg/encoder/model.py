"""The dual encoder: two separate encoders and a dot product (thesis eq. 2.6).

Ours are BERTs with the [CLS] of their last layer; others' pool as they were trained to.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.text_encoder import TextEncoder, load_text_encoder, save_text_encoder

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from ecqg.params import ScoreScale

QUESTION = "question_encoder"
PASSAGE = "passage_encoder"
COSINE = 20.0  # what sentence-transformers multiplies cosines with, in the same loss


class DualEncoder(nn.Module):
    """A question encoder and a passage encoder that share a tokenizer."""

    def __init__(
        self,
        question_encoder: TextEncoder,
        passage_encoder: TextEncoder,
        tokenizer: PreTrainedTokenizerBase,
    ) -> None:
        super().__init__()
        self.question_encoder = question_encoder
        self.passage_encoder = passage_encoder
        self.tokenizer = tokenizer

    @property
    def hidden(self) -> int:
        """Dimensions of a vector."""
        return self.passage_encoder.dimensions

    def save(self, folder: Path) -> None:
        """Write two Hugging Face folders, question_encoder/ and passage_encoder/."""
        save_text_encoder(folder / QUESTION, self.question_encoder, self.tokenizer)
        save_text_encoder(folder / PASSAGE, self.passage_encoder, self.tokenizer)

    @classmethod
    def load(cls, folder: Path, *, dropout: float = 0.0) -> DualEncoder:
        """What `save` wrote, or two copies of the encoder that `folder` itself is.

        Raises InputError as `load_text_encoder` does, and for a head with weights of its own: it
        is not trained.
        """
        halves = (QUESTION, PASSAGE) if (folder / QUESTION).is_dir() else ("", "")
        (question_encoder, tokenizer), (passage_encoder, _) = (
            load_text_encoder(folder / half, dropout=dropout) for half in halves
        )
        for encoder in (question_encoder, passage_encoder):
            encoder.check_trainable(folder)
        return cls(question_encoder, passage_encoder, tokenizer)


def score_factor(scale: ScoreScale, hidden: int) -> float:
    """What a dot product is multiplied with to be a score; it never changes a ranking."""
    return {"none": 1.0, "sqrt_hidden": float(hidden**-0.5), "cosine": COSINE}[scale]


def in_batch_loss(
    questions: torch.Tensor, passages: torch.Tensor, factor: float = 1.0
) -> torch.Tensor:
    """Mean negative log-likelihood of each question's positive among all passages of the batch.

    In-batch negatives with hard negatives (thesis eq. 2.8; DPR's BiEncoderNllLoss). `questions` is
    [n, hidden]; `passages` is [m, hidden], m >= n, where passage i < n is the positive of question
    i and every other passage, other questions' positives and everybody's hard negatives, is a
    negative of question i. Scores are dot products times `factor`, in fp32. A passage that happens
    to be in the batch twice counts as a negative there, as in DPR.
    """
    scores = questions.float() @ passages.float().T * factor
    return functional.cross_entropy(scores, torch.arange(len(questions), device=scores.device))
