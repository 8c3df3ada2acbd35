"""Means over passages, by sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pandas import DataFrame
from scipy.stats import binom

from ecqg.attention.aggregate import Mention, rank_entities
from ecqg.attention.per_passage import mean_intervals, means, write_by_sentence
from ecqg.attention.positions import EntityPositions, Halves
from ecqg.attention.tokens import AttentionMeasures
from ecqg.corpus.passages import Passage


def passage(*shares: float) -> AttentionMeasures:
    """A passage whose sentences have ten tokens each."""
    n = len(shares)
    densities = np.array(shares) * n
    later = densities[1:].mean() if n > 1 else np.nan
    return AttentionMeasures(
        10 * n, 2.0, np.array(shares), densities, float(densities[0]), float(later), 1.0
    )


def test_sentences_that_few_passages_have_are_left_out(tmp_path: Path) -> None:
    measured = [passage(0.75, 0.25)] * 60 + [passage(1.0)] * 39 + [passage(0.2, 0.3, 0.5)]
    write_by_sentence(tmp_path / "dpr.csv", "dpr", measured)
    header, *rows = (tmp_path / "dpr.csv").read_text().splitlines()
    assert header == "system,sentence,density,share,passages"
    values = [[float(v) for v in row.split(",")[1:]] for row in rows]
    first = (60 * 1.5 + 39 * 1 + 0.6) / 100
    second = (60 * 0.5 + 0.9) / 61
    assert values == [
        [1, pytest.approx(first, abs=1e-5), pytest.approx(60 * 0.75 + 39 + 0.2, abs=1e-3), 100],
        [2, pytest.approx(second, abs=1e-5), pytest.approx(100 * 15.3 / 61, abs=1e-3), 61],
    ]


def test_passages_of_one_sentence_have_no_later_ones() -> None:
    found = means([passage(1.0), passage(0.8, 0.2)])
    assert found["first_sentence"] == pytest.approx((1 + 1.6) / 2)
    assert found["later_sentences"] == pytest.approx(0.4)
    assert found["max_entropy"] == pytest.approx((np.log(10) + np.log(20)) / 2)
    assert found["normalised_entropy"] == pytest.approx((2 / np.log(10) + 2 / np.log(20)) / 2)


def test_intervals_of_means_and_of_entity_positions() -> None:
    rng = np.random.default_rng(4)
    entropy = rng.normal(4, 0.3, 400)
    none, some = np.full(400, np.nan), np.full(400, np.nan)
    some[:100] = [1] * 70 + [0] * 30  # the others have no two entities
    measured = DataFrame(
        {
            "entropy": entropy,
            "first_sentence": none,
            "later_sentences": none,
            "highest_first_half": some,
            "lowest_second_half": np.ones(400),
        }
    )
    rows = list(mean_intervals(measured, 20_000, 0.95, 1, "dpr"))
    assert [row[:3] for row in rows] == [
        ("entropy", 400, entropy.mean()),
        ("highest_first_half", 100, 70),
        ("lowest_second_half", 400, 100),
    ]
    found = {measure: bounds for measure, _, _, *bounds in rows}
    low, high = binom.ppf([0.025, 0.975], 100, 0.7)  # what a bootstrap of 0/1 outcomes tends to
    error = 1.96 * entropy.std() / 20
    assert found == {
        "entropy": pytest.approx([entropy.mean() - error, entropy.mean() + error], abs=0.003),
        "highest_first_half": pytest.approx([low, high], abs=1),
        "lowest_second_half": [100, 100],
    }


def test_halves_follow_the_places_of_the_entities() -> None:
    text = "Ada met Bob. " + "x" * 40 + " Cid saw Ada."
    passage = Passage(0, "p", "", text, (0, 13))
    first, second = Mention("Ada", "PERSON", 0, 3, 0.5, 1), Mention("Cid", "PERSON", 54, 57, 0.1, 1)
    positions = EntityPositions()
    ranked = rank_entities([first, second], "sum")
    assert positions.add(passage, ranked) == Halves(True, True)
    assert positions.add(passage, ranked[:1]) is None
    assert positions.summary()["ranked_passages"] == 1
