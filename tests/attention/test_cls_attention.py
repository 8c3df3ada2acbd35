"""[CLS] attention equals what transformers' own eager attention returns."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    RobertaConfig,
    RobertaModel,
)

from ecqg.attention.passage_attention import cls_weights
from ecqg.encoder.tokens import Batch, Tokens

SMALL = {"vocab_size": 50, "max_position_embeddings": 40}
BERT = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 48, **SMALL}


def bert(layers: int, **others: Any) -> BertModel:
    return BertModel(BertConfig(**{**BERT, "num_hidden_layers": layers, **others}))


def roberta() -> RobertaModel:
    return RobertaModel(RobertaConfig(**BERT, num_hidden_layers=2))


def distilbert() -> DistilBertModel:
    return DistilBertModel(DistilBertConfig(**SMALL, dim=32, n_heads=4, hidden_dim=48, n_layers=3))


MODELS = {
    "one layer": lambda: bert(1),
    "three layers": lambda: bert(3),
    "heads as MiniLM's": lambda: bert(2, hidden_size=48, num_attention_heads=12),
    "roberta": roberta,
    "distilbert": distilbert,
}


LENGTHS = np.array([20, 13, 7, 1])
SECOND = 6  # where segments of type 1 begin


def packed(ids: torch.Tensor, mask: torch.Tensor) -> Batch:
    offsets = np.concatenate([[0], np.cumsum(LENGTHS)])
    flat = ids[mask].numpy().astype(np.int32)
    return Tokens(flat, offsets, np.full(4, SECOND, np.int32)).batch(np.arange(4))


@pytest.mark.parametrize("name", MODELS)
def test_equals_eager_attention(name: str) -> None:
    torch.manual_seed(len(name))
    model = MODELS[name]().eval()
    for parameter in model.parameters():  # biases start at zero, which would hide their neglect
        torch.nn.init.normal_(parameter, std=0.3)
    ids = torch.randint(5, 50, (4, 20))
    mask = torch.arange(20) < torch.from_numpy(LENGTHS)[:, None]
    ids[~mask] = model.config.pad_token_id
    reference = copy.deepcopy(model)
    reference.set_attn_implementation("eager")
    inputs = {"input_ids": ids, "attention_mask": mask.long()}
    batch = packed(ids, mask)
    if name == "roberta":  # it knows one type of token
        batch = dataclasses.replace(batch, types=torch.zeros_like(batch.types))
    elif name != "distilbert":  # it knows none: those of the batch are left aside
        inputs["token_type_ids"] = (torch.arange(20) >= SECOND).long().expand(4, 20).contiguous()
    with torch.no_grad():
        expected = reference(**inputs, output_attentions=True).attentions[-1].mean(1)[:, 0]

    weights = cls_weights(model, batch)
    torch.testing.assert_close(weights, expected, atol=1e-6, rtol=1e-4)
    assert weights[~mask].count_nonzero() == 0
    torch.testing.assert_close(weights.sum(1), torch.ones(4))
    assert expected.std() > 0.01  # not uniform, so the comparison says something


def test_without_keys_of_each_token_memory_is_linear_in_length() -> None:
    """No tensor of tokens x tokens is made in the last layer, here the only one."""
    from torch.utils._python_dispatch import TorchDispatchMode

    largest = 0

    class Largest(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            nonlocal largest
            out = func(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor) and func is not torch.ops.aten.detach.default:
                largest = max(largest, out.numel())
            return out

    model = bert(1, max_position_embeddings=600, hidden_size=16).eval()
    one = Tokens(np.full(600, 7, np.int32), np.array([0, 600]), np.array([600], np.int32))
    with Largest():
        cls_weights(model, one.batch(np.array([0])))
    assert largest < 600 * 600  # tokens x tokens, of one head
