"""Generators so small that tests can train them."""

from __future__ import annotations

from typing import Any

import torch

from ecqg.questions.causal import Causal
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.questions.tokenizer import train_tokenizer

TEXTS = [
    "Clara Moss | Clara Moss was a poet from Wick. * Anna Verge * taught her in 1852.",
    "Norden Castle | It is built of granite | who owned norden castle",
]


def tiny_bart(**options: Any) -> Any:
    from transformers import BartConfig, BartForConditionalGeneration

    settings = {
        "vocab_size": 320,
        "d_model": 64,
        "encoder_layers": 1,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "max_position_embeddings": 96,
        "init_std": 0.07,
        "dropout": 0.0,
    }
    torch.manual_seed(0)
    return BartForConditionalGeneration(BartConfig(**settings | options))


def tiny_llama() -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=320,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=96,
        initializer_range=0.07,
        bos_token_id=0,
        eos_token_id=2,
        pad_token_id=1,
    )
    return LlamaForCausalLM(config)


def tiny(kind: str, source: int = 48, target: int = 24) -> Seq2Seq | Causal:
    tokenizer = train_tokenizer(TEXTS, 320, 96)
    if kind == "seq2seq":
        return Seq2Seq(tiny_bart(), tokenizer, source, target)
    return Causal(tiny_llama(), tokenizer, source, target)
