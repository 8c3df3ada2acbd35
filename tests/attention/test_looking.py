"""Attention and vectors of one pass, against transformers' own attention matrices and pooling."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import public_encoders as public
from ecqg.attention.looking import look_at
from ecqg.corpus.passages import Passage
from ecqg.encoder.text_encoder import load_text_encoder

TEXTS = ["the river flows past town", "old mill", "the king built the castle hill song", "song"]
TITLES = ["the bridge", "", "queen", "the old ship"]


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
