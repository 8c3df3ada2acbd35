from __future__ import annotations

import pytest

import tiny_models as models
from ecqg.params import Encoder, EncoderPretraining, InitEncoder, Training

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"


@pytest.fixture(scope="session")
def tokenizer():
    from ecqg.training.wordpiece import train_tokenizer

    return train_tokenizer([WORDS] * 3, 120)


@pytest.fixture
def tiny_bert(tokenizer):
    """A function that makes a random BERT of so many layers."""

    def make(layers: int = 2, seed: int = 0, **changes):
        settings = {"hidden_size": 16, "intermediate_size": 32, "initializer_range": 0.4}
        whole = {"num_hidden_layers": layers, **settings, **changes}
        return models.tiny_bert(len(tokenizer), seed=seed, biases=0.3, **whole)

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
    return InitEncoder(
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
