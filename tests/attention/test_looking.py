"""Attention and vectors of one pass, against transformers' own attention matrices and pooling."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import public_encoders as public
from ecqg.attention import looking
from ecqg.attention.looking import look_at
from ecqg.corpus.passages import Passage
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.errors import InputError

TEXTS = ["the river flows past town", "old mill", "the king built the castle hill song", "song"]
TITLES = ["the bridge", "", "queen", "the old ship"]


@pytest.fixture
def cls_of_ours(tmp_path):
    public.MAKERS["ours"](tmp_path / "ours")
    encoder, tokenizer = load_text_encoder(tmp_path / "ours")
    return encoder.eval(), tokenizer


@pytest.mark.parametrize("name", ["sbert mean", "sbert roberta", "ours", "tas-b", "ance"])
def test_attention_and_vector_are_those_of_transformers(name, tmp_path):
    folder = tmp_path / "model"
    if name.startswith("sbert"):
        folder.mkdir()
    reference = public.MAKERS[name](folder)
    encoder, tokenizer = load_text_encoder(folder)
    pairs = zip(TITLES, TEXTS, strict=True)
    passages = [Passage(i, str(i), *both, (0,)) for i, both in enumerate(pairs)]
    found = list(look_at(encoder.eval(), tokenizer, passages, 40, ""))

    from transformers import AutoConfig, AutoModel, AutoTokenizer

    plain = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    assert AutoConfig.from_pretrained(folder).num_hidden_layers == 2
    own = AutoTokenizer.from_pretrained(folder)
    for passage, (attention, vector) in zip(passages, found, strict=True):
        pair = (passage.title, passage.text) if passage.title else (passage.text,)
        encoded = own(*pair, return_tensors="pt")
        with torch.no_grad():
            last = plain(**encoded, output_attentions=True).attentions[-1][0].mean(0)
            wanted = reference(encoded)
        weights = last.mean(0) if "mean" in name or "roberta" in name else last[0]
        np.testing.assert_allclose(attention.weights, weights.numpy(), atol=1e-5)
        np.testing.assert_allclose(vector, wanted.numpy(), atol=1e-5)
        assert attention.row == passage.row
    spread = [attention.weights.std() for attention, _ in found]
    assert max(spread) > 0.01  # not all uniform, so the comparison says something


def test_no_memory_is_one_line(cls_of_ours, monkeypatch):
    def fail(*_):
        raise MemoryError

    encoder, tokenizer = cls_of_ours
    monkeypatch.setattr(looking, "look", fail)
    passages = [Passage(0, "0", "", "old mill", (0,))]
    with pytest.raises(InputError, match="out of memory on cpu; lower --max-tokens"):
        list(look_at(encoder, tokenizer, passages, 40, ""))


def test_many_blocks_in_threads_come_in_order(cls_of_ours, monkeypatch):
    encoder, tokenizer = cls_of_ours
    words = public.WORDS.split()
    texts = [" ".join(words[i % 7 : i % 7 + 1 + i % 9]) for i in range(50)]
    passages = [Passage(i, str(i), "", text, (0,)) for i, text in enumerate(texts)]
    whole = list(look_at(encoder, tokenizer, passages, 40, ""))
    monkeypatch.setattr(looking, "BLOCK_PASSAGES", 8)
    monkeypatch.setitem(looking.BATCH_TOKENS, "cpu", 20)
    monkeypatch.setattr(looking, "processors", lambda: 4 * torch.get_num_threads())
    parts = list(look_at(encoder, tokenizer, passages, 40, ""))
    for passage, one, other in zip(passages, whole, parts, strict=True):
        assert one.attention.row == other.attention.row == passage.row
        np.testing.assert_allclose(one.vector, other.vector, atol=1e-5)
        np.testing.assert_allclose(one.attention.weights, other.attention.weights, atol=1e-5)
