"""The dual encoder: two separate BERTs, [CLS] of the last layer, dot product (thesis eq. 2.6)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch
from torch import nn

from ecqg.encoder.cls import cls_vectors
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import Batch
from ecqg.training.pretrained import save_model

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
        """Load what `save` wrote. Raises InputError as `load_encoder` does."""
        question_encoder, tokenizer = load_encoder(folder / QUESTION, dropout=dropout)
        passage_encoder, _ = load_encoder(folder / PASSAGE, dropout=dropout)
        return cls(question_encoder, passage_encoder, tokenizer)

    @classmethod
    def start(cls, folder: Path, *, dropout: float = 0.0) -> DualEncoder:
        """Both encoders from one Hugging Face folder, as two separate copies."""
        question_encoder, tokenizer = load_encoder(folder, dropout=dropout)
        passage_encoder, _ = load_encoder(folder, dropout=dropout)
        return cls(question_encoder, passage_encoder, tokenizer)


def score_factor(scale: Literal["none", "sqrt_hidden"], hidden: int) -> float:
    """What a dot product is multiplied with to be a score; it never changes a ranking."""
    return 1.0 if scale == "none" else float(hidden**-0.5)
