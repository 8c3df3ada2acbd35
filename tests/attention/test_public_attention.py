"""Attention of public encoders: their own special tokens, and each word piece's place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.tokens import SPECIAL, TEXT, TITLE, attention_measures
from ecqg.corpus.passages import Passage
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.errors import InputError
from public_encoders import MAKERS, WORDS

TEXTS = [
    ("old mill", f"The river flows past. {WORDS}"),
    ("", "The king, in a thin castle."),
    ("king", "x"),
    ("ship sails", "Castle hill by the ship. " * 6),
]
PASSAGES = [Passage(i, f"p{i}", title, text, (0, 21)) for i, (title, text) in enumerate(TEXTS)]


@pytest.mark.parametrize("max_tokens", [66, 20])
@pytest.mark.parametrize("kind", ["ance", "tas-b", "dpr projected", "sbert roberta"])
def test_equals_transformers_on_each_passage_alone(
    kind: str, max_tokens: int, tmp_path: Path
) -> None:
    MAKERS[kind](tmp_path / "public")
    encoder, tokenizer = load_text_encoder(tmp_path / "public")
    model = encoder.backbone.eval()
    model.set_attn_implementation("eager")
    attended = list(
        PassageAttention(tmp_path / "public", max_tokens, "fp32").attend(PASSAGES, len(PASSAGES))
    )
    for passage, attention in zip(PASSAGES, attended, strict=True):
        pair = (passage.title, passage.text) if passage.title else (passage.text,)
        encoded = tokenizer(
            *pair,
            truncation="only_second" if passage.title else True,
            max_length=max_tokens,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        segments = encoded.sequence_ids(0)
        offsets = encoded.pop("offset_mapping")[0].tolist()
        with torch.no_grad():
            expected = model(**encoded, output_attentions=True).attentions[-1].mean(1)[0, 0]
        np.testing.assert_allclose(attention.weights, expected, atol=1e-6, rtol=1e-4)
        text = 1 if passage.title else 0
        kinds = [SPECIAL if s is None else TEXT if s == text else TITLE for s in segments]
        assert attention.kinds.tolist() == kinds
        spans = [tuple(o) for o, k in zip(offsets, kinds, strict=True) if k == TEXT]
        assert list(zip(attention.starts.tolist(), attention.ends.tolist(), strict=True)) == spans
        # A word piece begins with its word, not with the blank before it: else the first one of
        # a sentence would count to the sentence before.
        assert not any(passage.text[start].isspace() for start, _ in spans)
        whole = tokenizer(passage.text, add_special_tokens=False)["input_ids"]
        assert attention.truncated == (len(spans) < len(whole))
    assert attended[3].truncated or max_tokens == 66


def test_roberta_has_two_separators_after_a_title(tmp_path: Path) -> None:
    MAKERS["ance"](tmp_path / "ance")
    attended = list(PassageAttention(tmp_path / "ance", 60, "fp32").attend(PASSAGES, len(PASSAGES)))
    titled, untitled = attended[2].kinds.tolist(), attended[1].kinds.tolist()
    assert titled == [SPECIAL, *[TITLE] * titled.count(TITLE), SPECIAL, SPECIAL, TEXT, SPECIAL]
    assert untitled == [SPECIAL, *[TEXT] * (len(untitled) - 2), SPECIAL]
    with_special = attention_measures(attended[2], (0,), "include", "exclude")
    assert with_special.tokens == 5  # <s>, </s>, </s>, x, </s>


def test_more_tokens_than_positions_is_one_line(tmp_path: Path) -> None:
    MAKERS["ance"](tmp_path / "ance")
    with pytest.raises(InputError, match="max_passage_tokens is 71, more than the 70 of"):
        PassageAttention(tmp_path / "ance", 71, "fp32")
