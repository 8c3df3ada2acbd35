"""A tokenizer, a tiny encoder's folder, examples, their passages and settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage
from ecqg.params import Reranker
from small_passages import make_passages
from tiny_models import tiny_bert

TOWNS = ["avel", "brun", "corm", "dray", "elsen", "fold", "garth", "holm"]
WORDS = "who where built the bridge of mill in river flows past town old . , ' king queen"


@pytest.fixture(scope="session")
def tokenizer():
    from ecqg.training.wordpiece import train_tokenizer

    return train_tokenizer([WORDS, " ".join(TOWNS)] * 3, 120)


@pytest.fixture(scope="session")
def encoder_folder(tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT of one layer with 48 positions and biases that are not 0."""
    sizes = {"max_position_embeddings": 48, "initializer_range": 0.2}
    dropout = {"hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}
    model = tiny_bert(len(tokenizer), biases=0.1, **sizes, **dropout)
    folder = tmp_path_factory.mktemp("encoder")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def settings() -> Reranker:
    return Reranker(
        layers=None,
        mark_overlap=True,
        max_tokens=40,
        max_question_tokens=12,
        dropout=0.0,
        precision="fp32",
        max_questions=None,
        lr=3e-3,
        epochs=3,
        batch_size=4,
        warmup_fraction=0.1,
        weight_decay=0.0,
        max_grad_norm=1.0,
        hard_negatives=1,
        near_negatives=1,
        random_negatives=1,
    )


@pytest.fixture
def passages() -> list[Passage]:
    """Of each town what answers its question, then of each the hard negative of another's."""

    def mill(i: int, other: int) -> tuple[str, str]:
        town, other_town = TOWNS[i % len(TOWNS)], TOWNS[other % len(TOWNS)]
        return town.title(), f"The mill of {town} was built in {other_town}."

    towns = range(len(TOWNS))
    return make_passages(*(mill(i, i + 1) for i in towns), *(mill(i + 3, i) for i in towns))


@pytest.fixture
def examples() -> list[Example]:
    """The passage that names the question's town answers it; the hard negative names another."""
    others = [*TOWNS[1:], TOWNS[0]]
    return [
        Example(str(i), f"where built mill of {town}", (other,), (i,), (i + len(TOWNS),))
        for i, (town, other) in enumerate(zip(TOWNS, others, strict=True))
    ]
