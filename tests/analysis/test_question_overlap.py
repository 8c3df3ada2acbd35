"""Thesis tab. 4.3, against sums over questions written out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.analysis.overlap import Overlap, read_overlaps, summarise_overlap, write_overlaps
from ecqg.corpus.gold import SENTENCES, sentence_overlap
from ecqg.corpus.passages import Passage


def test_overlap_with_each_sentence() -> None:
    text = "Ada Holt built the bridge. It opened in 1852. " + "The river is wide. " * 6
    starts = [0, text.index("It")]
    starts += [at for at in range(len(text)) if text.startswith("The river", at)]
    passage = Passage(0, "1", "Bridge", text, tuple(starts))
    # content words: ada, holt, bridge, open
    assert sentence_overlap("when did Ada Holt's bridge open?", passage) == [0.75, 0, 0, 0, 0, 0]
    assert sentence_overlap("who is it?", passage) == [0] * SENTENCES


def summarise(tmp_path: Path, overlaps: list[tuple[list[float], bool]]) -> list[dict[str, Any]]:
    """Rows of the table, by sentence."""
    file = tmp_path / "overlap.csv"
    write_overlaps(file, [Overlap(found, len(shares), shares) for shares, found in overlaps])
    found = summarise_overlap(read_overlaps(file), 200, 0.9, np.random.default_rng(1))
    return [found[f"sentence_{i + 1}"] for i in range(SENTENCES)]


def test_means_by_part_by_hand(tmp_path: Path) -> None:
    overlaps = [([0.5, 0.25], True), ([1.0], True), ([0.25, 0.5, 0.75], False), ([0.0, 1.0], False)]
    first, second, third, *others = summarise(tmp_path, overlaps)
    assert (first["found"], first["missed"], first["difference"]) == (75, 12.5, 62.5)
    assert (first["found_questions"], first["missed_questions"]) == (2, 2)
    # Each part is drawn by itself: means lie in 50 to 100 and in 0 to 25.
    assert first["low"] == 25 and first["high"] == 100
    assert (second["found"], second["missed"], second["found_questions"]) == (25, 75, 1)
    assert [third[key] for key in ("found", "missed", "difference", "low")] == [
        None,
        75,
        None,
        None,
    ]
    assert [(o["found"], o["missed"], o["missed_questions"]) for o in others] == [
        (None, None, 0)
    ] * 3


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.lists(st.floats(0, 1, width=32), min_size=1, max_size=SENTENCES), st.booleans()
        ),
        min_size=1,
        max_size=12,
    )
)
def test_parts_make_up_the_whole(tmp_path: Path, questions: list[tuple[list[float], bool]]) -> None:
    for sentence, row in enumerate(summarise(tmp_path, questions)):
        having = [o[sentence] for o, _ in questions if len(o) > sentence]
        counts = row["found_questions"], row["missed_questions"]
        assert sum(counts) == len(having)
        total = (row["found"] or 0) * counts[0] + (row["missed"] or 0) * counts[1]
        assert total == pytest.approx(100 * sum(having), abs=1e-6)


def test_without_questions_there_are_no_means(tmp_path: Path) -> None:
    file = tmp_path / "overlap.csv"
    write_overlaps(file, [])
    found = summarise_overlap(read_overlaps(file), 20, 0.9, np.random.default_rng(0))
    assert (found["questions"], found["found"], found["sentences_mean"]) == (0, None, None)
    assert found["sentence_1"]["missed_questions"] == 0
