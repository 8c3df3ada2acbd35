"""AdamW with linear warm-up and decay, as DPR, BART and BERT readers are all fine-tuned."""

from __future__ import annotations

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


def build_optimizer(model: nn.Module, lr: float, weight_decay: float = 0.0) -> torch.optim.AdamW:
    """AdamW over all parameters that train; vectors (biases, LayerNorm) are not decayed."""
    parameters = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {
            "params": [p for p in parameters if p.ndim > 1],
            "weight_decay": weight_decay,
        },
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr, eps=1e-8, fused=True)


def linear_schedule(
    optimizer: torch.optim.Optimizer, steps: int, warmup_fraction: float
) -> LambdaLR:
    """The learning rate rises linearly over the warm-up, then falls linearly to 0 at `steps`."""
    warmup = round(steps * warmup_fraction)

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / (warmup + 1)
        return max(0.0, (steps - step) / max(1, steps - warmup))

    return LambdaLR(optimizer, factor)
