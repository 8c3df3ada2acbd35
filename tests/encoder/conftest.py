from __future__ import annotations

import pytest
import torch

from ecqg.params import Encoder, EncoderPretraining, EncoderStart, Training

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"


@pytest.fixture(scope="session")
def tokenizer():
    from ecqg.training.wordpiece import train_tokenizer

    return train_tokenizer([WORDS] * 3, 120)


@pytest.fixture
def tiny_bert(tokenizer):
    """A function that makes a random BERT of so many layers."""
    from transformers import BertConfig, BertModel

    def make(layers: int = 2, seed: int = 0, **changes):
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=layers,
            num_attention_heads=4,
            intermediate_size=32,
            max_position_embeddings=64,
            initializer_range=0.4,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            **changes,
        )
        model = BertModel(config, add_pooling_layer=False).eval()
        with torch.no_grad():  # biases are 0 in a new BERT, which would hide a forgotten one
            for parameter in model.parameters():
                if parameter.ndim == 1:
                    parameter.add_(0.3 * torch.randn_like(parameter))
        return model

    return make


@pytest.fixture
def encoder_settings():
    return Encoder(
        max_question_tokens=12,
        max_passage_tokens=24,
        score_scale="sqrt_hidden",
        dropout=0.0,
        precision="fp32",
    )


@pytest.fixture
def training_settings():
    return Training(
        lr=3e-3,
        epochs=3,
        batch_size=8,
        accumulation=1,
        share_negatives="micro_batch",
        warmup_fraction=0.1,
        weight_decay=0.0,
        max_grad_norm=2.0,
        hard_negatives=1,
        select_by="average_rank",
    )


@pytest.fixture
def start_settings():
    return EncoderStart(
        source="random",
        name="",
        layers=1,
        hidden=16,
        heads=4,
        feed_forward=32,
        vocabulary=150,
        initializer_range=0.06,
        pretraining=EncoderPretraining(epochs=2, batch_size=8, lr=2e-3),
    )
