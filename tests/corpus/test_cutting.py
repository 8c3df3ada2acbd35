from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.cutting import cut_paragraph, pack_sentences

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


def packed(lengths: list[int], most: int) -> list[list[str]]:
    """Sentences of these many words, numbered throughout, as pack_sentences divides them."""
    numbers = iter(range(sum(lengths)))
    sentences = [" ".join(f"w{next(numbers)}" for _ in range(n)) for n in lengths]
    starts = [sum(len(s) + 1 for s in sentences[:i]) for i in range(len(sentences))]
    text = " ".join(sentences)
    return [text[start:end].split() for start, end in pack_sentences(text, starts, most)]


def test_passages_of_whole_sentences() -> None:
    assert [len(p) for p in packed([50, 60, 10, 1], 120)] == [120, 1]
    assert [len(p) for p in packed([50, 71, 60], 120)] == [50, 71, 60]
    assert [len(p) for p in packed([5, 250, 100, 20], 120)] == [5, 120, 120, 110, 20]
    assert pack_sentences("", [0], 120) == []


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 60))
def test_packed_passages_are_full_and_break_between_sentences(
    lengths: list[int], most: int
) -> None:
    passages = packed(lengths, most)
    assert [w for p in passages for w in p] == [f"w{i}" for i in range(sum(lengths))]
    assert all(1 <= len(passage) <= most for passage in passages)
    if max(lengths) <= most:
        ends = {sum(lengths[: i + 1]) for i in range(len(lengths))}
        at = 0
        for passage in passages[:-1]:
            at += len(passage)
            assert at in ends
            following = min(end for end in ends if end > at)
            assert len(passage) + following - at > most  # the next one did not fit
