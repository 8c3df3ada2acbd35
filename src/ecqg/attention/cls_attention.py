"""Final-layer attention with [CLS] as the query (SIGIR sec. 2.1), without attention matrices.

Equal to row 0 of `output_attentions=True`, averaged over heads. That option needs eager attention
in every layer and keeps [heads, tokens, tokens] a layer; here the lower layers run fused
over packed tokens, and of the last layer only the scores of one query are computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ecqg.encoder.architectures import below_last, first_scores, pad
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


@torch.inference_mode()
def cls_weights(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """Weights [n, width] in fp32: mean over heads, sum 1 over tokens, 0 on padding.

    The model is one of ecqg.encoder.architectures, in eval mode; a sequence's first token is its
    [CLS].
    """
    tokens, last = below_last(model, batch)
    with torch.autocast(tokens.device.type, enabled=False):
        tokens = tokens.float()
        scores = first_scores(last, tokens[batch.starts], pad(tokens, batch), batch)
        return scores.softmax(-1).mean(1)
