"""The dual encoder: two separate BERTs, [CLS] of the last layer, dot product (thesis eq. 2.6)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.architectures import cls_vectors
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import Batch
from ecqg.training.weights import save_model

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

QUESTION = "question_encoder"
PASSAGE = "passage_encoder"


class DualEncoder(nn.Module):
    """A question encoder and a passage encoder that share a tokenizer."""

    def __init__(
        self,
        question_encoder: BertModel,
        passage_encoder: BertModel,
        tokenizer: PreTrainedTokenizerBase,
    ) -> None:
        super().__init__()
        self.question_encoder = question_encoder
        self.passage_encoder = passage_encoder
        self.tokenizer = tokenizer

    @property
    def hidden(self) -> int:
        """Dimensions of a vector."""
        return int(self.passage_encoder.config.hidden_size)

    def encode_questions(self, batch: Batch) -> torch.Tensor:
        """Question vectors, [n, hidden]."""
        return cls_vectors(self.question_encoder, batch)

    def encode_passages(self, batch: Batch) -> torch.Tensor:
        """Passage vectors, [n, hidden]."""
        return cls_vectors(self.passage_encoder, batch)

    def save(self, folder: Path) -> None:
        """Write two Hugging Face folders, question_encoder/ and passage_encoder/."""
        save_model(folder / QUESTION, self.question_encoder, self.tokenizer)
        save_model(folder / PASSAGE, self.passage_encoder, self.tokenizer)

    @classmethod
    def load(cls, folder: Path, *, dropout: float = 0.0) -> DualEncoder:
        """What `save` wrote, or two copies of the encoder that `folder` itself is.

        Raises InputError as `load_encoder` does.
        """
        halves = (QUESTION, PASSAGE) if (folder / QUESTION).is_dir() else ("", "")
        (question_encoder, tokenizer), (passage_encoder, _) = (
            load_encoder(folder / half, dropout=dropout) for half in halves
        )
        return cls(question_encoder, passage_encoder, tokenizer)


def score_factor(scale: Literal["none", "sqrt_hidden"], hidden: int) -> float:
    """What a dot product is multiplied with to be a score; it never changes a ranking."""
    return 1.0 if scale == "none" else float(hidden**-0.5)


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
