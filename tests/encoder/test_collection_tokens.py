"""Systems of a study share a collection's token ids, which are made once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ecqg import paths
from ecqg.corpus.passages import Passage, write_passages
from ecqg.encoder import token_file
from ecqg.encoder.token_file import collection_tokens
from ecqg.encoder.tokens import tokenize_passages
from ecqg.training.wordpiece import train_tokenizer

TEXTS = ("the river flows past town", "bridge old mill", "king built castle hill", "queen song")
LIMIT = 9


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A passage store of four passages; token ids are made two by two."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(token_file, "TOKENIZE_AT_ONCE", 2)
    path = paths.collection() / "passages.arrow"
    write_passages(path, [Passage(i, f"p{i}", "old", t, (0,)) for i, t in enumerate(TEXTS)])
    return path


@pytest.fixture
def blocks(monkeypatch):
    """The blocks that are tokenized; `until` is the one at which the computer is switched off."""
    tokenize, seen = token_file.tokenize_passages, {"blocks": 0, "until": None}

    def counting(tokenizer, titles, texts, limit):
        if texts:
            if seen["blocks"] == seen["until"]:
                raise KeyboardInterrupt
            seen["blocks"] += 1
        return tokenize(tokenizer, titles, texts, limit)

    monkeypatch.setattr(token_file, "tokenize_passages", counting)
    return seen


def assert_equal(got, tokenizer, limit=LIMIT, texts=TEXTS):
    want = tokenize_passages(tokenizer, ["old" for _ in texts], texts, limit)
    for name in ("ids", "offsets", "second"):
        assert np.array_equal(getattr(got, name), getattr(want, name))
    assert (got.separators, got.typed) == (want.separators, want.typed)


def saved_and_loaded(tokenizer, folder):
    """As another system's folder has it."""
    from transformers import AutoTokenizer

    tokenizer.save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder)


def test_the_second_system_finds_them(store, tokenizer, blocks, tmp_path):
    first, second = (saved_and_loaded(tokenizer, tmp_path / name) for name in ("dpr", "mixed"))
    assert_equal(collection_tokens(store, first, LIMIT), tokenizer)
    assert_equal(collection_tokens(store, second, LIMIT), tokenizer)
    assert blocks["blocks"] == 2


def test_a_killed_start_is_gone_on_with(store, tokenizer, blocks):
    blocks["until"] = 1
    with pytest.raises(KeyboardInterrupt):
        collection_tokens(store, tokenizer, LIMIT)
    blocks["until"] = None
    assert_equal(collection_tokens(store, tokenizer, LIMIT), tokenizer)
    assert blocks["blocks"] == 2


def test_what_is_made_of_something_else_is_made_anew(store, tokenizer):
    assert_equal(collection_tokens(store, tokenizer, LIMIT), tokenizer)
    assert_equal(collection_tokens(store, tokenizer, 5), tokenizer, 5)
    other = train_tokenizer(["mill queen river " * 9], 40)
    assert_equal(collection_tokens(store, other, LIMIT), other)
    cased = saved_and_loaded(tokenizer, store.parent / "cased")
    cased.sep_token = "[UNK]"
    assert_equal(collection_tokens(store, cased, LIMIT), cased)
    write_passages(store, [Passage(0, "p", "old", "bridge", (0,))])
    assert_equal(collection_tokens(store, tokenizer, LIMIT), tokenizer, texts=["bridge"])


def test_the_last_used_stay(store, tokenizer, blocks):
    first = collection_tokens(store, tokenizer, 5)
    collection_tokens(store, tokenizer, 6)
    collection_tokens(store, tokenizer, 5)
    collection_tokens(store, tokenizer, 7)
    assert len([p for p in (paths.TOKENS / paths.MAIN).iterdir() if p.is_dir()]) == token_file.KEEP
    count = blocks["blocks"]
    collection_tokens(store, tokenizer, 5)
    assert blocks["blocks"] == count
    collection_tokens(store, tokenizer, 6)
    assert blocks["blocks"] == count + 2
    collection_tokens(store, tokenizer, 8)
    assert_equal(first, tokenizer, 5)  # its files are gone, its map is not


def test_two_at_once_make_it_once(store, tokenizer, blocks, tmp_path):
    loaded = [saved_and_loaded(tokenizer, tmp_path / str(number)) for number in range(4)]
    found = []
    threads = [
        threading.Thread(target=lambda t=t: found.append(collection_tokens(store, t, LIMIT)))
        for t in loaded
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert blocks["blocks"] == 2
    for tokens in found:
        assert_equal(tokens, tokenizer)
