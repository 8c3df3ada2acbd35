"""Entropy and attention by sentence, against values worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from scipy.stats import entropy as scipy_entropy

from ecqg.attention.tokens import (
    SPECIAL,
    TEXT,
    TITLE,
    Choice,
    TokenAttention,
    attention_measures,
)

# [CLS] title [SEP], sentence 1: two tokens, sentence 2: one, sentence 3 (at 40): three, [SEP]
WEIGHTS = [0.3, 0.1, 0.1, 0.12, 0.08, 0.04, 0.02, 0.05, 0.09, 0.1]
TEXT_ONLY: tuple[Choice, Choice] = ("exclude", "exclude")
STARTS = [0, 8, 20, 40, 45, 50]


def passage(weights: list[float] = WEIGHTS) -> TokenAttention:
    kinds = [SPECIAL, TITLE, SPECIAL] + [TEXT] * 6 + [SPECIAL]
    starts = np.array(STARTS, np.int32)
    return TokenAttention(
        0, np.array(weights, np.float32), np.array(kinds, np.int8), starts, starts + 3, False
    )


def test_the_text_alone() -> None:
    found = attention_measures(passage(), (0, 20, 40), *TEXT_ONLY)
    shares = [0.20 / 0.40, 0.04 / 0.40, 0.16 / 0.40]
    assert found.tokens == 6
    assert found.shares.tolist() == pytest.approx(shares)
    assert found.densities.tolist() == pytest.approx([0.5 / 2 * 6, 0.1 * 6, 0.4 / 3 * 6])
    assert found.first_sentence == pytest.approx(1.5)
    assert found.later_sentences == pytest.approx((0.04 + 0.16) / 4 / 0.40 * 6)
    assert found.entropy == pytest.approx(scipy_entropy(WEIGHTS[3:9]))
    assert found.normalised_entropy == pytest.approx(scipy_entropy(WEIGHTS[3:9]) / log(6))


def test_special_tokens_and_title_widen_the_distribution() -> None:
    everything = attention_measures(passage(), (0, 20, 40), "include", "include")
    assert everything.tokens == 10
    assert everything.entropy == pytest.approx(scipy_entropy(WEIGHTS))
    assert everything.first_sentence == pytest.approx(0.20 / 2 * 10)  # the model's own weights
    with_title = attention_measures(passage(), (0, 20, 40), "exclude", "include")
    assert with_title.entropy == pytest.approx(scipy_entropy([0.1, *WEIGHTS[3:9]]))
    with_special = attention_measures(passage(), (0, 20, 40), "include", "exclude")
    assert with_special.tokens == 9
    assert with_special.shares.sum() == pytest.approx(0.40 / 0.90)


def test_uniform_attention_has_density_one_and_the_largest_entropy() -> None:
    found = attention_measures(passage([0.1] * 10), (0, 20, 40), *TEXT_ONLY)
    assert found.densities.tolist() == pytest.approx([1, 1, 1])
    assert found.entropy == pytest.approx(log(6))
    assert found.normalised_entropy == pytest.approx(1)


def test_a_single_sentence_has_no_later_ones() -> None:
    found = attention_measures(passage(), (0,), *TEXT_ONLY)
    assert found.shares.tolist() == pytest.approx([1])
    assert np.isnan(found.later_sentences)


def test_sentences_beyond_the_length_limit_do_not_count() -> None:
    assert len(attention_measures(passage(), (0, 20, 40, 90), *TEXT_ONLY).shares) == 3


def test_entropy_of_a_certain_outcome_is_zero() -> None:
    certain = passage([0.0] * 4 + [1.0] + [0.0] * 5)
    assert attention_measures(certain, (0, 20, 40), *TEXT_ONLY).entropy == 0


def test_scale_turns_weights_into_densities() -> None:
    scale = attention_measures(passage(), (0, 20, 40), "include", "exclude").scale
    assert 0.08 * scale == pytest.approx(0.08 / 0.9 * 9)
