"""Final-layer attention with [CLS] as the query (SIGIR sec. 2.1), without attention matrices.

Equal to row 0 of `output_attentions=True`, averaged over heads. That option needs eager attention
in every layer and keeps [heads, tokens, tokens] a layer; here the lower layers run as always
(SDPA), and of the last layer only the scores of one query are computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ecqg.encoder.architectures import architecture

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class ClsAttention(nn.Module):
    """An encoder that returns attention weights in place of vectors.

    It takes `encoder`, one of ecqg.encoder.architectures, over: the last layer is removed from it.
    Raises KeyError for another model type.
    """

    def __init__(self, encoder: PreTrainedModel) -> None:
        super().__init__()
        kind = architecture(encoder)
        *lower, last = encoder.get_submodule(kind.layers).children()
        encoder.set_submodule(kind.layers, nn.ModuleList(lower))
        self.lower = encoder.eval()  # ends where the last layer began: it has no final norm
        layer = kind.layer(last)
        self.query, self.key, self.heads = layer.query, layer.key, layer.heads
        self.has_types = kind.has_types

    @torch.inference_mode()
    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Weights [n, width] in fp32: mean over heads, sum 1 over tokens, 0 on padding.

        `ids`, `mask` (true on tokens, which stand on the left) and token `types` (for encoders
        that have them, others leave them aside) are [n, width]; the token at 0 is [CLS].
        """
        segments = {} if types is None or not self.has_types else {"token_type_ids": types}
        hidden = self.lower(input_ids=ids, attention_mask=mask.long(), **segments).last_hidden_state
        with torch.autocast(hidden.device.type, enabled=False):
            return self._weights(hidden.float(), mask)

    def _weights(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        n, _, size = hidden.shape
        query = self.query(hidden[:, 0]).view(n, self.heads, -1)
        # q'(Kx + b) = (K'q)'x + q'b: folding the key into the one query spares every token's key;
        # q'b is the same for all tokens, so softmax drops it.
        key = self.key.weight.view(self.heads, -1, size)
        folded = torch.einsum("nhd,hdf->nhf", query, key)
        scores = folded @ hidden.transpose(1, 2) * query.shape[-1] ** -0.5
        scores = scores.masked_fill(~mask[:, None], -torch.inf)
        return torch.softmax(scores, -1).mean(1)
