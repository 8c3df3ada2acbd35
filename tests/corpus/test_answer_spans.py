"""Places of answers agree with answer matching on whether there is one, and with hand cases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.corpus.locate import find_answers
from ecqg.corpus.reading import Answer
from ecqg.evaluation.answers import has_answer, tokens


@pytest.mark.parametrize(
    ("answers", "text", "expected"),
    [
        (["paris"], "In Paris, PARIS.", [Answer("Paris", 3)]),  # the first place
        (["pari"], "In Paris.", []),
        (["u . s ."], "The U.S. Senate", [Answer("U.S.", 4)]),
        (["u.s"], "The US", []),
        (["b", "A b", "a"], "x a b", [Answer("a b", 2), Answer("a", 2), Answer("b", 4)]),
        (["ada", "Ada"], "Ada", [Answer("Ada", 0)]),
        (["", " ", "\u200b"], "no token is nowhere", []),
        (["a"], "", []),
        # Composed and decomposed are one, and what stands in the text is given back as it is.
        (["caf\u00e9"], "\u00e9\u00e9 cafe\u0301 x", [Answer("cafe\u0301", 3)]),
        (["cafe\u0301 x"], "\u00e9\u00e9 caf\u00e9 x", [Answer("caf\u00e9 x", 3)]),
        (["\u1112\u1161\u11ab"], "\u1112 \ud55c!", [Answer("\ud55c", 2)]),
        (["2"], "\u00e9 \U0001f44d 2", [Answer("2", 4)]),
        (["="], "a \u2260 b", [Answer("\u2260", 2)]),  # normalised, it is = and a mark
    ],
)
def test_hand_decided(answers: list[str], text: str, expected: list[Answer]) -> None:
    assert list(find_answers(answers, text)) == expected


ODD = st.sampled_from(
    "aAbB1 .,-'\n\x00\u00a0\u200b\u0301\u0308\u0345\u00e9\u00c9\u1e9e\u0130\u03c3\u03c2\u03a3"
    "\u4e2d\u0e01\u0e47\U0001f44d\u00bd\u2260\u1e69\ud55c\u0344_$"
)
TEXT = st.text(st.one_of(ODD, st.characters(exclude_categories=["Cs"])), max_size=24)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=3), st.integers(0, 24), st.integers(1, 8))
def test_there_is_a_place_exactly_where_matching_finds_an_answer(
    text: str, answers: list[str], start: int, length: int
) -> None:
    answers = [a for a in (*answers, text[start : start + length].swapcase()) if tokens(a)]
    found = find_answers(answers, text)
    assert bool(found) == has_answer(answers, text)
    for span in found:
        assert span.text
        assert text.startswith(span.text, span.start)
        assert has_answer(answers, span.text)
