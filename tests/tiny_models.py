"""Models so small that tests can make and train them."""

from __future__ import annotations

from typing import Any

import torch

from ecqg.encoder.model import DualEncoder
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.questions.backbone import train_tokenizer
from ecqg.questions.causal import Causal
from ecqg.questions.seq2seq import Seq2Seq

TEXTS = [
    "Clara Moss | Clara Moss was a poet from Wick. * Anna Verge * taught her in 1852.",
    "Norden Castle | It is built of granite | who owned norden castle",
]


def tiny_bert(
    vocabulary: int, kind: str = "BertModel", seed: int = 0, biases: float = 0.0, **changes: Any
) -> Any:
    """A random BERT of one layer; biases, which are 0 in a new one, have that deviation.

    0 would hide a forgotten bias.
    """
    import transformers

    settings = {
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }
    torch.manual_seed(seed)
    config = transformers.BertConfig(vocab_size=vocabulary, **settings | changes)
    whole = {"add_pooling_layer": False} if kind == "BertModel" else {}
    model = getattr(transformers, kind)(config, **whole).eval()
    if biases:
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim == 1:
                    parameter.add_(biases * torch.randn_like(parameter))
    return model


def dual_encoder(question: Any, passage: Any, tokenizer: Any) -> DualEncoder:
    """Of two BERTs, by [CLS]."""
    return DualEncoder(TextEncoder(question), TextEncoder(passage), tokenizer)


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
