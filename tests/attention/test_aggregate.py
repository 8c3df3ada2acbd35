"""Token attention to entity attention, against sums done by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.attention.aggregate import Mention, aggregate, rank_entities
from ecqg.attention.tokens import SPECIAL, TEXT, TITLE, TokenAttention

#       0         1         2         3
#       0123456789012345678901234567890123
TEXT_ = "Anna met Bellmont's son in Arden."
# Tokens: [CLS] vale [SEP] ann ##a met bell ##mont ' s son in arden . [SEP]
WEIGHTS = [20, 5, 5, 10, 2, 1, 8, 4, 3, 1, 2, 1, 6, 7, 25]  # percent
SPANS = [(0, 3), (3, 4), (5, 8), (9, 13), (13, 17), (17, 18), (18, 19), (20, 23), (24, 26)]
SPANS += [(27, 32), (32, 33)]


def attention(seen: int = len(SPANS)) -> TokenAttention:
    """The passage, of whose text the encoder sees the first `seen` tokens."""
    kinds = [SPECIAL, TITLE, SPECIAL] + [TEXT] * seen + [SPECIAL]
    weights = np.array([*WEIGHTS[: 3 + seen], 25], np.float32) / 100
    spans = np.array(SPANS[:seen], np.int32).reshape(-1, 2)
    truncated = seen < len(SPANS)
    return TokenAttention(0, weights, np.array(kinds, np.int8), spans[:, 0], spans[:, 1], truncated)


def of(*words: str, seen: int = len(SPANS)) -> tuple[list[float], list[float], list[int]]:
    starts = np.array([TEXT_.index(w) for w in words], np.int32)
    ends = starts + np.array([len(w) for w in words], np.int32)
    found = aggregate(attention(seen), starts, ends)
    return found.sums.tolist(), found.means().tolist(), found.pieces.tolist()


def test_sum_and_mean_over_word_pieces() -> None:
    sums, means, pieces = of("Anna", "Bellmont", "Arden")
    assert sums == pytest.approx([0.12, 0.12, 0.06])
    assert means == pytest.approx([0.06, 0.06, 0.06])
    assert pieces == [2, 2, 1]


def test_a_piece_that_overlaps_in_part_counts() -> None:
    assert of("nna met B")[0] == pytest.approx([0.10 + 0.02 + 0.01 + 0.08])


def test_truncated_entities_have_no_attention_rather_than_little() -> None:
    sums, means, pieces = of("Anna", "Bellmont", "Arden", seen=4)  # ... met bell
    assert sums[0] == pytest.approx(0.12)
    assert np.isnan(sums[1:]).all() and np.isnan(means[1:]).all()  # half seen, unseen
    assert pieces == [2, 0, 0]
    assert of("Anna", "Arden", seen=0)[2] == [0, 0]


def test_white_space_alone_has_no_attention() -> None:
    found = aggregate(attention(), np.array([4], np.int32), np.array([5], np.int32))
    assert found.pieces.tolist() == [0]


@given(st.integers(0, 33), st.integers(1, 33))
def test_equals_a_plain_loop(start: int, length: int) -> None:
    end = min(start + length, 33)
    pieces = zip(WEIGHTS[3:-1], SPANS, strict=True)
    overlapping = [weight for weight, (s, e) in pieces if s < end and e > start]
    found = aggregate(attention(), np.array([start], np.int32), np.array([end], np.int32))
    assert found.pieces[0] == len(overlapping)
    if overlapping:
        assert found.sums[0] == pytest.approx(sum(overlapping) / 100, rel=1e-5)


def mention(text: str, start: int, total: float, pieces: int) -> Mention:
    return Mention(text, "PERSON", start, start + len(text), total, pieces)


def test_an_entity_is_all_its_mentions() -> None:
    mentions = [
        mention("Anna Bell", 0, 0.40, 2),
        mention("Rome", 20, 0.06, 1),
        mention("anna  bell", 40, 0.02, 2),
        mention("Leo", 60, 0.05, 1),
        mention("Gone", 90, float("nan"), 0),
    ]
    by_sum = rank_entities(mentions, "sum")
    assert [e.lowest.text for e in by_sum] == ["Leo", "Rome", "anna  bell"]
    assert [e.attention for e in by_sum] == pytest.approx([0.05, 0.06, 0.42])
    by_mean = rank_entities(mentions, "mean")
    # The second mention of Anna Bell is the least attended of all, Anna Bell the most attended.
    assert [e.highest.text for e in by_mean] == ["Leo", "Rome", "Anna Bell"]
    assert by_mean[-1].attention == pytest.approx(0.42 / 4)
    assert (by_mean[-1].highest.start, by_mean[-1].lowest.start) == (0, 40)


def test_ties_go_by_place_in_the_text() -> None:
    mentions = [mention("B", 9, 0.1, 1), mention("A", 5, 0.1, 1), mention("C", 1, 0.1, 1)]
    assert [e.lowest.text for e in rank_entities(mentions, "mean")] == ["C", "A", "B"]
    assert rank_entities([], "sum") == []
