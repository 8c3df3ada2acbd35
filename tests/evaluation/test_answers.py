"""Answer matching equals Pyserini's on every pair, and hand-decided cases come out right."""

import unicodedata
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyserini.eval.evaluate_dpr_retrieval import SimpleTokenizer, has_answers

from ecqg.corpus.passages import Passage
from ecqg.evaluation import answers as matching
from ecqg.evaluation.answers import AnswerMatcher, has_answer, tokens

PYSERINI = SimpleTokenizer()


@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        ("Paris", "They met in PARIS.", True),
        ("Pari", "They met in Paris.", False),  # whole tokens only
        ("June 1852", "It opened in June, 1852.", False),  # the comma is a token
        ("U.S.", "in the U.S. Senate", True),
        ("U.S.", "in the US Senate", False),
        ("café", "a cafe\u0301 downtown", True),  # composed and decomposed are one
        ("cafe", "a café downtown", False),  # a mark belongs to its token
        ("$5", "for $5 a day", True),
        ("1852", "in 18520", False),
        ("\u039f\u03a3", "\u03bf\u03c3", False),  # a last capital sigma is lowered to the final one
        ("\u039f\u03a3", "\u03bf\u03c2", True),
        ("", "anything", True),  # no token: in every text, as in DPR
        (" \t", "", True),
        ("a", "", False),
        ("new york", "new\u200byork", True),  # a zero-width space is a control character
    ],
)
def test_hand_decided(answer: str, text: str, expected: bool) -> None:
    assert has_answer([answer], text) is expected
    assert has_answers(text, [answer], PYSERINI) is expected


ODD = st.sampled_from(
    "aAbB1 .,-'’\n\t\x00\x1f\u00a0\u200b\u2028\u0301\u0308éÉßẞİıſσςΣ中ก็👍🏽½²﷽_$\ud800\U000e0001"
)
TEXT = st.text(st.one_of(ODD, st.characters()), max_size=24)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=3))
def test_equal_to_pyserini_on_random_strings(text: str, answers: list[str]) -> None:
    assert tokens(text) == PYSERINI.tokenize(unicodedata.normalize("NFD", text)).words(True)
    assert has_answer(answers, text) == has_answers(text, answers, PYSERINI)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(TEXT, st.integers(0, 24), st.integers(0, 8), st.sampled_from([str, str.upper, str.title]))
def test_equal_to_pyserini_on_pieces_of_the_text(text, start, length, change) -> None:
    answer = change(text[start : start + length])
    assert has_answer([answer], text) == has_answers(text, [answer], PYSERINI)


@pytest.mark.parametrize("start", range(0, 0x21000, 0x1000))
def test_every_character_is_cut_and_lowered_as_by_pyserini(start: int) -> None:
    """Also within a word, where a letter that is lowered to several must not part it."""
    text = " ".join(f"{chr(code)} aB{chr(code)}Cd" for code in range(start, start + 0x1000))
    assert tokens(text) == PYSERINI.tokenize(unicodedata.normalize("NFD", text)).words(True)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_is_cut_as_by_pyserini(text: str) -> None:
    assert tokens(text) == PYSERINI.tokenize(text).words(True)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=5), st.lists(TEXT, max_size=3))
def test_a_matcher_decides_as_pyserini(texts: list[str], answers: list[str]) -> None:
    with patch.object(matching, "CACHED_PASSAGES", 1):  # the others are read from the disk again
        matcher = AnswerMatcher([Passage(i, str(i), "", t, (0,)) for i, t in enumerate(texts)])
    rows = [*range(len(texts)), 0]
    expected = [has_answers(texts[row], answers, PYSERINI) for row in rows]
    assert list(matcher.decide(answers, rows)) == expected
    assert [matcher.has_answer(answers, row) for row in rows] == expected
    assert matcher.first_hit(answers, rows) == (1 + expected.index(True) if any(expected) else 0)


@patch.object(matching, "CACHED_PASSAGES", 1)
def test_matcher_gives_the_rank_of_the_first_hit_and_tokenizes_once() -> None:
    reads: list[int] = []

    class Store(list):  # type: ignore[type-arg]
        def __getitem__(self, row):  # type: ignore[no-untyped-def]
            reads.append(row)
            return super().__getitem__(row)

    texts = ["Oslo is in Norway.", "Rome is in Italy.", "Lyon is in France."]
    matcher = AnswerMatcher(
        Store(Passage(i, str(i), "Paris", t, (0,)) for i, t in enumerate(texts))
    )
    assert matcher.first_hit(["italy", "France"], [0, 2, 1]) == 2
    assert matcher.first_hit(["Paris"], [0, 2, 1]) == 0  # titles do not count
    assert matcher.first_hit(["Norway"], []) == 0
    assert matcher.has_answer(["Norway", "Peru"], 0)
    assert not matcher.has_answer(["Peru"], 0)
    assert sorted(reads) == [0, 1, 2]
