"""One half of any dual encoder: a backbone, a pooling of its last layer, and a head.

| folder | backbone | pooling | head |
|---|---|---|---|
| ours | BERT | [CLS] | none |
| Facebook's DPR | BERT | [CLS] | linear, where projection_dim is above 0 |
| ANCE | RoBERTa | [CLS] | linear and layer norm |
| TAS-B | DistilBERT | [CLS] | none |
| sentence-transformers | any of these | [CLS] or mean | as its modules say |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.cls import cls_vectors
from ecqg.encoder.mean import mean_vectors
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Pooling = Literal["cls", "mean"]
POOLINGS = {"cls": cls_vectors, "mean": mean_vectors}


class TextEncoder(nn.Module):
    """An encoder of packed token sequences; its backbone is what has attention."""

    def __init__(
        self, backbone: PreTrainedModel, pooling: Pooling = "cls", head: nn.Sequential | None = None
    ) -> None:
        super().__init__()
        self.backbone = backbone
        self.pooling = pooling
        self.head = nn.Sequential() if head is None else head

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""
        sizes = [m.out_features for m in self.head if isinstance(m, nn.Linear)]
        return int(sizes[-1] if sizes else self.backbone.config.hidden_size)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Vectors, [n, dimensions]."""
        pooled = POOLINGS[self.pooling](self.backbone, batch)
        vectors: torch.Tensor = self.head(pooled.float())  # the backbone alone may be in bf16
        return vectors


class Normalize(nn.Module):
    """Vectors of length 1."""

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """[n, dimensions] to the same."""
        return functional.normalize(vectors, dim=-1)
