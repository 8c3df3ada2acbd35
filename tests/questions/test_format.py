from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.questions.format import (
    find_answer,
    find_mentions,
    format_chain,
    format_source,
    format_target,
    parse_chain,
    parse_target,
    shuffle_sentences,
)

TEXT = "Clara Moss founded Moss Works. In 1852 clara moss sold it to Anna Mossley, C. Moss's aunt."
words = st.text("abcxyz0 ',.?", min_size=1, max_size=30).filter(str.strip)


def test_sources_name_and_mark_every_mention() -> None:
    assert format_source("Moss Works", TEXT) == f"Moss Works | {TEXT}"
    assert format_source("Moss Works", TEXT, "Clara Moss") == (
        "Clara Moss | Moss Works | * Clara Moss * founded Moss Works. "
        "In 1852 * clara moss * sold it to Anna Mossley, C. Moss's aunt."
    )
    assert format_source("T", TEXT, "Anna", marked=False) == f"Anna | T | {TEXT}"


@pytest.mark.parametrize(
    ("entity", "spans"),
    [
        ("Moss", [(6, 10), (19, 23), (45, 49), (78, 82)]),  # not in "Mossley"
        ("moss works", [(19, 29)]),
        ("Moss  Works", [(19, 29)]),
        ("Mos", []),
        ("(Moss", []),
        ("  ", []),
    ],
)
def test_mentions_are_whole_words(entity: str, spans: list[tuple[int, int]]) -> None:
    assert find_mentions(TEXT, entity) == spans


@given(question=words, answer=words)
def test_targets_are_parsed_back(question: str, answer: str) -> None:
    parsed = parse_target(format_target(question, answer))
    assert parsed == (" ".join(question.split()), " ".join(answer.split()))


def test_separators_inside_are_dropped() -> None:
    assert parse_target(format_target("who | what", "a|b")) == ("who what", "a b")


@pytest.mark.parametrize("text", ["", "who", "who |", "| who", "who | a | b", " | "])
def test_malformed_targets_are_refused(text: str) -> None:
    assert parse_target(text) is None


@given(st.lists(st.text("ab .", min_size=1, max_size=6), min_size=1, max_size=6), st.integers())
def test_shuffling_keeps_every_sentence(sentences: list[str], seed: int) -> None:
    text, spans = "", []
    for sentence in sentences:
        spans.append((len(text), len(text) + len(sentence)))
        text += sentence
    shuffled = shuffle_sentences(text, spans, Random(seed))
    assert sorted(shuffled.replace(" ", "")) == sorted(text.replace(" ", ""))


def test_shuffling_reorders() -> None:
    orders = {shuffle_sentences("A. B. C.", [(0, 3), (3, 6), (6, 8)], Random(i)) for i in range(60)}
    assert len(orders) == 6
    assert "B. C. A." in orders


def test_answers_are_found_whatever_a_tokenizer_did_to_them() -> None:
    text = "In 1,200 O'Neil left; o'neil came back."
    assert find_answer("o ' neil", text) == (9, 15)
    assert find_answer("1 , 200", text) == (3, 8)
    assert find_answer("Neil", text) == (11, 15)
    assert find_answer("200 O'Nei", text) is None
    assert find_answer(" ", text) is None


@given(st.lists(st.sampled_from(["a", "B", "ab", "*", ","]), max_size=12).map(" ".join), words)
def test_marks_stand_around_mentions_and_can_be_taken_out_again(text: str, other: str) -> None:
    for entity in ("a", "b", "ab", "a b", other):
        name, _, marked = format_source("T", text, entity).split(" | ")
        assert name == " ".join(entity.split())
        offset = 0
        for start, end in find_mentions(text, entity):
            assert marked[start + offset : end + offset + 4] == f"* {text[start:end]} *"
            marked = marked[: start + offset] + text[start:end] + marked[end + offset + 4 :]
        assert marked == text


@given(question=words, answer=words, sentence=words)
def test_chains_are_parsed_back(question: str, answer: str, sentence: str) -> None:
    parsed = parse_chain(format_chain(sentence, answer, question))
    assert parsed == (" ".join(question.split()), " ".join(answer.split()))


def test_a_chain_names_the_sentence_by_its_first_and_last_word() -> None:
    chain = format_chain("In 1852 Anna | bought it. ", "1852", "when was it bought")
    assert chain == "In it. | 1852 | when was it bought"
    assert parse_chain(chain) == ("when was it bought", "1852")


@pytest.mark.parametrize("text", ["", "who | a", "In it. | | who", "In it. | a | who | when"])
def test_malformed_chains_are_refused(text: str) -> None:
    assert parse_chain(text) is None
