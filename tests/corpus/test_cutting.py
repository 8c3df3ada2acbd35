from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.cutting import cut_paragraph

SPACES = st.sampled_from([" ", "  ", "\u00a0", " \t"])


@given(st.integers(0, 700), SPACES, SPACES)
def test_blocks_cover_all_words_in_nearly_equal_parts(
    count: int, between: str, around: str
) -> None:
    words = [f"w{i}" for i in range(count)]
    text = around + between.join(words) + around
    blocks = [text[start:end].split() for start, end in cut_paragraph(text)]
    assert [word for block in blocks for word in block] == words
    if count == 0:
        assert blocks == []
    elif count <= 120:
        assert len(blocks) == 1
    else:
        sizes = [len(block) for block in blocks]
        assert max(sizes) <= 100
        assert max(sizes) - min(sizes) <= 1
        assert len(blocks) == -(-count // 100)
    assert all(text[s:e] == text[s:e].strip() for s, e in cut_paragraph(text))


def test_the_cut_of_the_shared_data() -> None:
    # Sizes of blocks of cut SQuAD paragraphs in data that were cut by the same rule elsewhere.
    for whole, sizes in {123: [62, 61], 129: [64, 65], 163: [82, 81], 175: [88, 87]}.items():
        text = " ".join(["word"] * whole)
        assert [len(text[s:e].split()) for s, e in cut_paragraph(text)] == sizes
