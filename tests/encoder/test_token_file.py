"""Token ids on disk are those in memory, however often the writing was stopped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.encoder import token_file
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import tokenize_passages

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"
LIMIT = 12


@dataclass(frozen=True)
class Passage:
    title: str
    text: str


class Dying(list):
    """Passages whose reading is stopped from the n-th block on."""

    def __init__(self, passages, blocks):
        super().__init__(passages)
        self.blocks = blocks

    def __getitem__(self, rows):
        if self.blocks == 0:
            raise KeyboardInterrupt
        self.blocks -= 1
        return super().__getitem__(rows)


def text(most):
    return st.lists(st.sampled_from(WORDS.split()), max_size=most).map(" ".join)


@pytest.mark.slow
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    passages=st.lists(st.builds(Passage, text(3), text(20)), min_size=1, max_size=17),
    block=st.integers(1, 6),
    deaths=st.lists(st.integers(0, 3), max_size=3),
    torn=st.binary(max_size=9),
)
def test_what_is_on_disk_is_what_would_be_in_memory(
    tokenizer, tmp_path_factory, passages, block, deaths, torn
):
    folder = tmp_path_factory.mktemp("tokens")
    want = tokenize_passages(
        tokenizer, [p.title for p in passages], [p.text for p in passages], LIMIT
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_file, "TOKENIZE_AT_ONCE", block)
        for blocks in deaths:
            with pytest.raises(KeyboardInterrupt):
                tokenize_on_disk(folder, tokenizer, Dying(passages, blocks), LIMIT)
                raise KeyboardInterrupt  # all was written before it could be stopped
            for name in token_file.COLUMNS:  # a block that was being written
                with (folder / name).open("ab") as file:
                    file.write(torn)
        got = tokenize_on_disk(folder, tokenizer, passages, LIMIT)
    for name in ("ids", "offsets", "second"):
        assert isinstance(getattr(got, name), np.memmap)
        assert getattr(got, name).dtype == getattr(want, name).dtype
        assert np.array_equal(getattr(got, name), getattr(want, name))
    assert (got.separators, got.typed) == (want.separators, want.typed)
    rows = np.arange(len(passages))[::-1]
    for name, tensor in vars(want.batch(rows)).items():
        assert getattr(got.batch(rows), name).equal(tensor)


def test_no_block_is_tokenized_twice(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(token_file, "TOKENIZE_AT_ONCE", 2)
    seen = []
    tokenize = tokenize_passages
    monkeypatch.setattr(
        token_file,
        "tokenize_passages",
        lambda t, titles, texts, limit: seen.extend(texts) or tokenize(t, titles, texts, limit),
    )
    passages = [Passage("", word) for word in WORDS.split()[:9]]
    for blocks in (2, 0, 1):
        with pytest.raises(KeyboardInterrupt):
            tokenize_on_disk(tmp_path, tokenizer, Dying(passages, blocks), LIMIT)
    tokenize_on_disk(tmp_path, tokenizer, passages, LIMIT)
    assert seen == [p.text for p in passages]
