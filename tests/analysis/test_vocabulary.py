"""Overlap of vocabularies, by hand and against a brute-force twin."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.analysis.vocabulary import SIZES, most_frequent, overlap_by_size
from ecqg.corpus.words import content_words, words


def test_words_are_cut_and_lowered() -> None:
    assert words("Who wrote the Hero's song, in 1852?") == [
        "who", "wrote", "the", "hero", "song", "in", "1852",
    ]  # fmt: skip
    assert content_words("Who wrote the Hero's song, in 1852?") == {"wrote", "hero", "song", "1852"}


def test_the_most_frequent_by_hand() -> None:
    texts = [
        "The mill by the river.",
        "A river and a mill, a river.",
        "The old oak, the old mill's",
    ]
    # river 3, mill 3, old 2, oak 1; equal counts by the alphabet, stop words aside
    counts = Counter(word for text in texts for word in words(text))
    assert most_frequent(counts, 3) == ["mill", "river", "old"]
    assert most_frequent(counts, 99) == ["mill", "river", "old", "oak"]
    assert most_frequent(Counter(["the", "of"]), 5) == []


def test_lists_are_cut_to_the_same_length() -> None:
    a, b = ["a", "b", "c", "d"], ["b", "c", "x"]
    assert overlap_by_size(a[:2], b) == {2: 50}
    assert overlap_by_size(a, b) == {3: pytest.approx(200 / 3)}
    assert overlap_by_size(a, []) == {}
    numbers = [str(i) for i in range(1000)]
    other = [str(i) for i in range(500, 1500)]
    assert overlap_by_size(numbers, other) == {100: 0, 300: 0, 1000: 50}
    assert set(overlap_by_size(numbers, other)) - {1000} <= set(SIZES)


@given(
    st.lists(st.lists(st.sampled_from(["oak", "elm", "ash", "fir", "the"])).map(" ".join)),
    st.lists(st.lists(st.sampled_from(["oak", "elm", "yew", "the"])).map(" ".join)),
)
def test_against_sorting_everything(a: list[str], b: list[str]) -> None:
    lists = []
    for texts in (a, b):
        said = " ".join(texts).split()
        known = sorted(set(said) - {"the"}, key=lambda w: (-said.count(w), w))
        assert most_frequent(Counter(said), 10) == known
        lists.append(known)
    n = min(map(len, lists))
    expected = {n: 100 * len(set(lists[0][:n]) & set(lists[1][:n])) / n} if n else {}
    assert overlap_by_size(*lists) == expected == overlap_by_size(*lists[::-1])
