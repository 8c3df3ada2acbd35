from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.training.wordpiece import (
    SPECIAL_TOKENS,
    count_words,
    learn_pieces,
    train_tokenizer,
)

TEXT = "Low lower lowest; new, newer newest. Wide wider, widest! The café's low, new lake."


def test_words_are_split_as_bert_does():
    assert count_words(["Café-bar, a café"]) == Counter(
        {"cafe": 2, "-": 1, "bar": 1, ",": 1, "a": 1}
    )


def naive(counts, size):
    """Recount all pairs before every merge."""
    words = {w: [w[0], *("##" + c for c in w[1:])] for w in counts}
    pieces = sorted({p for ps in words.values() for p in ps})
    while len(pieces) < size:
        pairs = Counter()
        for word, ps in words.items():
            for pair in pairwise(ps):
                pairs[pair] += counts[word]
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        if pairs[best] < 2:
            break
        new = best[0] + best[1].removeprefix("##")
        if new not in pieces:
            pieces.append(new)
        for word, ps in words.items():
            merged, i = [], 0
            while i < len(ps):
                if tuple(ps[i : i + 2]) == best:
                    merged.append(new)
                    i += 2
                else:
                    merged.append(ps[i])
                    i += 1
            words[word] = merged
    return pieces[:size]


@settings(max_examples=200, deadline=None)
@given(
    counts=st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 9), max_size=12),
    size=st.integers(1, 40),
)
def test_pieces_equal_recounting_everything(counts, size):
    assert learn_pieces(counts, size) == naive(counts, size)


def test_tokenizer_knows_every_word_it_has_seen(tmp_path):
    from transformers import AutoTokenizer

    train_tokenizer([TEXT] * 2, 60).save_pretrained(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    assert tokenizer.convert_ids_to_tokens(range(5)) == list(SPECIAL_TOKENS)
    assert "[UNK]" not in tokenizer.tokenize(TEXT)
    assert tokenizer.decode(tokenizer.encode("low wider", add_special_tokens=False)) == "low wider"
    assert tokenizer.tokenize("qq") == ["[UNK]"]


@pytest.mark.slow
def test_every_process_gives_the_same_vocabulary():
    code = (
        "from ecqg.training.wordpiece import count_words, learn_pieces;"
        f"print(learn_pieces(count_words([{TEXT!r}] * 3), 80))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "low" in outputs.pop()
