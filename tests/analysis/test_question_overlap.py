"""Thesis tab. 4.3, against sums over questions written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.analysis.overlap import split_overlap
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


def test_means_by_part_by_hand() -> None:
    overlaps = [[0.5, 0.25], [1.0], [0.25, 0.5, 0.75], [0.0, 1.0]]
    found = [True, True, False, False]
    first, second, third, *others = split_overlap(
        overlaps, found, 200, 0.9, np.random.default_rng(1)
    )
    assert (first.found, first.missed, first.difference) == (75, 12.5, 62.5)
    assert (first.found_questions, first.missed_questions) == (2, 2)
    # Each part is drawn by itself: means lie in 50 to 100 and in 0 to 25.
    assert first.low == 25 and first.high == 100
    assert (second.found, second.missed, second.found_questions) == (25, 75, 1)
    assert (third.found, third.missed, third.difference, third.low) == (None, 75, None, None)
    assert [(o.found, o.missed, o.missed_questions) for o in others] == [(None, None, 0)] * 3


@given(
    st.lists(
        st.tuples(
            st.lists(st.floats(0, 1, width=32), min_size=1, max_size=SENTENCES), st.booleans()
        ),
        min_size=1,
        max_size=12,
    )
)
def test_parts_make_up_the_whole(questions: list[tuple[list[float], bool]]) -> None:
    overlaps, found = [o for o, _ in questions], [f for _, f in questions]
    rows = split_overlap(overlaps, found, 20, 0.9, np.random.default_rng(0))
    for sentence, row in enumerate(rows):
        having = [o[sentence] for o in overlaps if len(o) > sentence]
        assert row.found_questions + row.missed_questions == len(having)
        total = (row.found or 0) * row.found_questions + (row.missed or 0) * row.missed_questions
        assert total == pytest.approx(100 * sum(having), abs=1e-6)
