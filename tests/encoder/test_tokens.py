from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.encoder.tokens import tokenize_and_locate, tokenize_passages, tokenize_questions

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"

words = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=30).map(" ".join)
short = st.lists(st.sampled_from(WORDS.split()), max_size=3).map(" ".join)
unchanging = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def expected(tokenizer, title, text, limit):
    if title:
        return tokenizer(title, text, truncation="only_second", max_length=limit)
    return tokenizer(text, truncation=True, max_length=limit)


@unchanging
@given(pairs=st.lists(st.tuples(short, words), min_size=1, max_size=6))
def test_passages_are_the_tokenizers_own_pairs(tokenizer, pairs):
    limit = 20
    pairs = [(t if len(tokenizer.tokenize(t)) <= limit // 2 else "", x) for t, x in pairs]
    tokens = tokenize_passages(tokenizer, [t for t, _ in pairs], [x for _, x in pairs], limit)
    batch = tokens.batch(np.arange(len(pairs)))
    for i, (title, text) in enumerate(pairs):
        want = expected(tokenizer, title, text, limit)
        own = batch.slots // batch.mask.shape[1] == i
        assert batch.ids[own].tolist() == want["input_ids"]
        assert batch.types[own].tolist() == want["token_type_ids"]
        assert batch.positions[own].tolist() == list(range(len(want["input_ids"])))
        assert int(batch.mask[i].sum()) == len(want["input_ids"])
        assert int(batch.ids[batch.starts[i]]) == tokenizer.cls_token_id


@unchanging
@given(texts=st.lists(words, min_size=1, max_size=5), limit=st.integers(3, 16))
def test_questions_are_the_tokenizers_own_single_sequences(tokenizer, texts, limit):
    tokens = tokenize_questions(tokenizer, texts, limit)
    for i, text in enumerate(texts):
        want = tokenizer(text, truncation=True, max_length=limit)["input_ids"]
        assert tokens.ids[tokens.offsets[i] : tokens.offsets[i + 1]].tolist() == want


@unchanging
@given(pairs=st.lists(st.tuples(short, words), max_size=6))
def test_spans_are_those_of_the_texts_alone(tokenizer, pairs):
    titles, texts = [t for t, _ in pairs], [x for _, x in pairs]
    tokens, spans = tokenize_and_locate(tokenizer, titles, texts, 20)
    without = tokenize_passages(tokenizer, titles, texts, 20)
    assert (tokens.ids == without.ids).all()
    assert (tokens.offsets == without.offsets).all()
    assert spans == [
        tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        for text in texts
    ]


def test_rows_come_in_the_order_asked_and_may_repeat(tokenizer):
    tokens = tokenize_questions(tokenizer, ["river", "old mill king", "song"], 10)
    batch = tokens.batch(np.array([2, 0, 2]))
    song, river = tokens.ids[tokens.offsets[2] :], tokens.ids[: tokens.offsets[1]]
    assert batch.ids.tolist() == [*song, *river, *song]


def test_a_title_longer_than_half_is_cut_and_the_text_keeps_its_room(tokenizer):
    tokens = tokenize_passages(tokenizer, ["king " * 30], ["queen " * 30], 16)
    pieces = tokenizer.convert_ids_to_tokens(tokens.ids.tolist())
    assert pieces == ["[CLS]", *["king"] * 8, "[SEP]", *["queen"] * 5, "[SEP]"]


def test_long_texts_do_not_depend_on_the_block_they_are_tokenized_in(tokenizer, monkeypatch):
    texts = ["river " * i for i in range(1, 8)]
    titles = ["mill"] * 7
    whole = tokenize_passages(tokenizer, titles, texts, 9)
    monkeypatch.setattr("ecqg.encoder.tokens.TOKENIZE_AT_ONCE", 2)
    blocks = tokenize_passages(tokenizer, titles, texts, 9)
    for name in ("ids", "offsets", "second"):
        assert np.array_equal(getattr(whole, name), getattr(blocks, name))


@pytest.mark.parametrize("count", [0])
def test_no_text_is_no_sequence(tokenizer, count):
    assert len(tokenize_questions(tokenizer, [], 10)) == count
