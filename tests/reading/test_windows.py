"""Windows against transformers' own stride, and the marks by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from ecqg.reading.windows import (
    CONTEXT,
    CONTEXT_MATCH,
    QUESTION,
    QUESTION_MATCH,
    Lengths,
    Window,
    cut,
    edges,
    pad,
)

CONTEXT_TEXT = "Anna Moor was born in Velda. She wrote the Harbour Song at age 30 and died there."
QUESTION_TEXT = "Where was Anna Moor born?"


@pytest.fixture(scope="module")
def tokenizer(encoder_folder: Path):
    return AutoTokenizer.from_pretrained(encoder_folder)


def windows(tokenizer, question: str, context: str, lengths: Lengths, mark=True) -> list[Window]:
    return list(cut(tokenizer, [(question, context)], lengths, mark_overlap=mark))


def test_one_window_is_what_transformers_encodes(tokenizer) -> None:
    (window,) = windows(tokenizer, QUESTION_TEXT, CONTEXT_TEXT, Lengths(64, 20, 20), mark=False)
    expected = tokenizer(QUESTION_TEXT, CONTEXT_TEXT, return_offsets_mapping=True)
    assert window.ids.tolist() == expected["input_ids"]
    assert window.types.tolist() == expected["token_type_ids"]
    inside = [i for i, s in enumerate(expected.sequence_ids(0)) if s == 1]
    assert window.first == inside[0]
    assert window.spans.tolist() == [list(expected["offset_mapping"][i]) for i in inside]


@pytest.mark.parametrize(("length", "stride"), [(20, 4), (20, 11), (30, 7), (64, 30)])
def test_windows_are_those_of_transformers(tokenizer, length: int, stride: int) -> None:
    # transformers calls the overlap a stride; ours is the step
    asked = len(tokenizer(QUESTION_TEXT, add_special_tokens=False)["input_ids"])
    room = length - asked - 3
    expected = tokenizer(
        QUESTION_TEXT,
        CONTEXT_TEXT,
        max_length=length,
        stride=room - stride,
        truncation="only_second",
        return_overflowing_tokens=True,
    )
    got = windows(tokenizer, QUESTION_TEXT, CONTEXT_TEXT, Lengths(length, asked, stride))
    assert [w.ids.tolist() for w in got] == expected["input_ids"]


def test_overlap_marks_whole_words_in_both_texts(tokenizer) -> None:
    (window,) = windows(
        tokenizer, "Did Moors die? Anna did.", "Anna Moor died.", Lengths(40, 20, 9)
    )
    tokens = tokenizer.convert_ids_to_tokens(window.ids)
    marked = [t for t, kind in zip(tokens, window.types, strict=True) if kind >= CONTEXT_MATCH]
    assert marked == ["anna", "anna"]  # not "moor" of "moors", and not the full stop
    kinds = dict(zip(tokens, window.types, strict=True))
    assert kinds["died"] == CONTEXT
    assert kinds["?"] == QUESTION
    assert window.types[tokens.index("anna")] == QUESTION_MATCH
    assert window.types[window.first] == CONTEXT_MATCH


def test_word_edges(tokenizer) -> None:
    (window,) = windows(tokenizer, "who?", "moore's bank", Lengths(40, 20, 9))
    tokens = tokenizer.convert_ids_to_tokens(window.ids)[window.first : -1]
    assert tokens == ["moor", "##e", "'", "[UNK]", "bank"]
    assert window.word_starts.tolist() == [True, False, True, True, True]
    assert window.word_ends.tolist() == [False, True, True, True, True]


@given(data=st.data())
def test_windows_cover_the_context(tokenizer_cache, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(["anna", "moores", "xx", "."]), max_size=40))
    asked = data.draw(st.integers(1, 8))
    length = data.draw(st.integers(asked + 4, 40))
    stride = data.draw(st.integers(1, length - asked - 3))
    context = " ".join(words)
    got = windows(tokenizer_cache, "who was anna moor", context, Lengths(length, asked, stride))
    whole = tokenizer_cache(context, add_special_tokens=False, return_offsets_mapping=True)
    assert {tuple(s) for w in got for s in w.spans.tolist()} == {
        tuple(s) for s in whole["offset_mapping"]
    }
    assert all(len(w.ids) <= length for w in got)
    for window in got:
        for i, (a, b) in enumerate(window.spans):
            assert window.locate(a, b) == (window.first + i, window.first + i)


@pytest.fixture(scope="module")
def tokenizer_cache(encoder_folder: Path):
    return AutoTokenizer.from_pretrained(encoder_folder)


def test_padded_windows_are_what_transformers_pads(tokenizer) -> None:
    questions = [QUESTION_TEXT, "who?", "Did she die?"]
    pairs = [(question, "moores xx died there"[: 10 * i]) for i, question in enumerate(questions)]
    made = list(cut(tokenizer, pairs, Lengths(64, 20, 20), mark_overlap=False))
    expected = tokenizer(
        questions, [context for _, context in pairs], padding="max_length", max_length=32,
        return_tensors="pt",
    )  # fmt: skip
    ids, types = [w.ids for w in made], [w.types for w in made]
    padded = pad(ids, types, tokenizer.pad_token_id, 32)
    assert padded.keys() == expected.keys()
    assert all(torch.equal(padded[name], expected[name]) for name in padded)
    longest = int(expected["attention_mask"].sum(1).max())
    assert pad(ids, types, 0)["input_ids"].shape == (3, longest)

    may_start, may_end = edges(made)
    assert may_start.shape == may_end.shape == (3, longest)
    for row, encoded in enumerate(expected.encodings):
        words = [
            w if s == 1 else None for w, s in zip(encoded.words, encoded.sequence_ids, strict=True)
        ]
        places = [i for i, word in enumerate(words) if word is not None]
        assert may_start[row].nonzero()[:, 0].tolist() == [
            i for i in places if words[i] != words[i - 1]
        ]
        assert may_end[row].nonzero()[:, 0].tolist() == [
            i for i in places if words[i] != words[i + 1]
        ]


def test_locate(tokenizer) -> None:
    first, second, *_ = windows(tokenizer, "who?", CONTEXT_TEXT, Lengths(13, 4, 6))
    start = CONTEXT_TEXT.index("Velda")
    at = first.locate(start, start + 5)
    assert tokenizer.convert_ids_to_tokens(first.ids)[at[0]] == "velda"
    start = CONTEXT_TEXT.index("Anna Moor")
    at = first.locate(start, start + 9)
    assert tokenizer.convert_ids_to_tokens(first.ids)[at[0] : at[1] + 1] == ["anna", "moor"]
    assert second.locate(start, start + 9) == (0, 0)
    over = CONTEXT_TEXT.index(". She")
    assert first.locate(0, over + 20) == (0, 0)  # runs over the window's end
