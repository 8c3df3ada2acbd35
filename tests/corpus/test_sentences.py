from __future__ import annotations

import pytest

from ecqg.corpus import sentences
from ecqg.corpus.sentences import split_sentences
from ecqg.corpus.spacy_model import load_spacy
from ecqg.errors import InputError

# Written here; the words in brackets are what a rule on full stops would trip over.
TEXTS = [
    "The lake lies near St. Mary's chapel. It was dug by the U.S. Army in 1912. Dr. J. R. Smith "
    "described it.",
    "One sentence without an end",
    " A text that begins with a space. And goes on, e.g. here.",
    "The prize (worth $3.5 million) went to Acme Inc. and its founder. Nobody protested!  Why?",
]
EXPECTED = [
    ["The lake", "It was", "Dr. J."],
    ["One sentence"],
    [" A text", "And goes"],
    ["The prize", "Nobody", "Why?"],
]


def test_sentences_begin_where_a_reader_sees_them_begin() -> None:
    for text, starts, heads in zip(TEXTS, split_sentences(TEXTS), EXPECTED, strict=True):
        assert starts[0] == 0
        assert len(starts) == len(heads)
        assert all(text.startswith(h, s) for s, h in zip(starts, heads, strict=True))


@pytest.mark.slow
def test_a_stream_of_many_is_split_as_one_by_one() -> None:
    many = TEXTS * 530  # more than a zone, many batches
    alone = [next(split_sentences([text])) for text in TEXTS]
    assert list(split_sentences(iter(many))) == alone * 530


@pytest.mark.slow
def test_processes_split_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [next(split_sentences([text])) for text in TEXTS]
    monkeypatch.setattr(sentences, "ZONE", 7)
    for workers in (1, 2):
        assert list(split_sentences(iter(TEXTS * 20), workers)) == alone * 20


def test_fragments_without_words_are_no_sentences() -> None:
    texts = ['... "', "( * ) . . ! Then it began. ) ( . --", "", "?! ..."]
    for text, starts in zip(texts, split_sentences(texts), strict=True):
        ends = [*starts[1:], len(text)]
        assert starts[0] == 0
        pieces = [text[a:b] for a, b in zip(starts, ends, strict=True)]
        assert len(pieces) == 1 or all(any(c.isalnum() for c in piece) for piece in pieces)


@pytest.mark.slow
def test_only_what_is_enabled_runs() -> None:
    assert load_spacy("en_core_web_sm", enable=["senter"]).pipe_names == ["senter"]
    assert load_spacy("en_core_web_sm", enable=["tok2vec", "ner"]).pipe_names == ["tok2vec", "ner"]


def test_what_is_not_installed_is_named() -> None:
    with pytest.raises(InputError, match="xx_no_model is not installed; pip install xx-no-model"):
        load_spacy("xx_no_model", enable=["ner"])
    with pytest.raises(InputError, match="has no clairvoyance; name a pipeline"):
        load_spacy("en_core_web_sm", enable=["clairvoyance"])
