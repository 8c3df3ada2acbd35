"""Attention among the entities of a passage, by hand."""

from __future__ import annotations

from math import log

import pytest

from ecqg.attention.aggregate import EntityAttention, Mention, rank_entities
from ecqg.attention.among_entities import among_entities


def entity(mean: float) -> EntityAttention:
    mention = Mention("Anna", "PERSON", 0, 4, mean, 1)
    return EntityAttention(mean, mean, mention, mention)


def test_three_entities_by_hand() -> None:
    # times 50: 0.5, 1.5 and 2; of their sum 1/8, 3/8 and 1/2
    found = among_entities([entity(0.01), entity(0.03), entity(0.04)], scale=50)
    assert found["entity_density"] == pytest.approx(4 / 3)
    assert (found["lowest_density"], found["highest_density"]) == pytest.approx((0.5, 2.0))
    entropy = log(8) / 8 + 3 / 8 * log(8 / 3) + log(2) / 2
    assert found["entity_entropy"] == pytest.approx(entropy / log(3))
    # deviations -5/6, 1/6 and 4/6: their squares sum to 42/36
    assert found["entity_variation"] == pytest.approx((42 / 36 / 3) ** 0.5 / (4 / 3))


def test_equal_attention_has_all_entropy_and_no_variation() -> None:
    found = among_entities([entity(0.25)] * 4, scale=4)
    assert found == pytest.approx(
        {
            "entity_density": 1,
            "highest_density": 1,
            "lowest_density": 1,
            "entity_entropy": 1,
            "entity_variation": 0,
        }
    )


def test_what_gets_nothing_adds_no_entropy() -> None:
    assert among_entities([entity(0), entity(0.5)], scale=2)["entity_entropy"] == 0


def test_density_is_of_a_word_piece_however_entities_are_ranked() -> None:
    mentions = [
        Mention("Ann Bellmont", "PERSON", 0, 12, 0.4, 4),
        Mention("Rome", "GPE", 20, 24, 0.3, 1),
        Mention("ann bellmont", "PERSON", 30, 42, 0.2, 4),
    ]
    found = among_entities(rank_entities(mentions, "sum"), scale=10)
    # By the sum Rome is the lowest; a piece of Ann Bellmont gets 0.6 / 8.
    assert (found["lowest_density"], found["highest_density"]) == pytest.approx((3.0, 0.75))
