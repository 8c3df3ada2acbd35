"""Attention by token: the right model input, the right places in the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ecqg.attention import passage_attention
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.tokens import SPECIAL, TEXT, TITLE
from ecqg.corpus.passages import Passage
from ecqg.parallel import pool

TEXTS = [
    ("Ann Bellmont", "Anna met Harriet Vale. It was in the old opera house."),
    ("", "The river, Arden."),
    ("Vale", "x"),
    ("Arden", "Ardenton was built by Anna and Harriet in the old house by the river. " * 3),
]
PASSAGES = [Passage(7 * i, f"p{i}", title, text, (0,)) for i, (title, text) in enumerate(TEXTS)]


@pytest.mark.parametrize("max_tokens", [60, 16])
def test_equals_transformers_on_each_passage_alone(encoder_folder: Path, max_tokens: int) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(encoder_folder, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(encoder_folder)
    attended = list(
        PassageAttention(encoder_folder, max_tokens, "fp32").attend(PASSAGES, len(PASSAGES))
    )

    assert [a.row for a in attended] == [p.row for p in PASSAGES]
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
        spans = [tuple(o) for o, kind in zip(offsets, kinds, strict=True) if kind == TEXT]
        assert list(zip(attention.starts.tolist(), attention.ends.tolist(), strict=True)) == spans
        whole = tokenizer(passage.text, add_special_tokens=False)["input_ids"]
        assert attention.truncated == (len(spans) < len(whole))
    assert attended[3].truncated == (max_tokens == 16)


def test_weights_of_a_passage_do_not_depend_on_its_batch(encoder_folder: Path) -> None:
    source = PassageAttention(encoder_folder, 60, "fp32")
    together = [a.weights for a in source.attend(PASSAGES, len(PASSAGES))]
    alone = [next(source.attend([p], 1)).weights for p in PASSAGES]
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6, rtol=1e-4)


def test_a_device_may_be_a_batch_ahead(
    encoder_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a GPU is: each passage has its own weights, to the bit, in the order of the passages."""
    monkeypatch.setattr(passage_attention, "BLOCK_PASSAGES", 3)
    monkeypatch.setitem(passage_attention.BATCH_TOKENS, "cpu", 20)
    source = PassageAttention(encoder_folder, 60, "fp32")
    passages = PASSAGES * 2
    expected = [attention.as_json() for attention in source.attend(passages, len(passages))]
    events = []
    begin = PassageAttention._weights

    def noted(self: PassageAttention, *batch: Any) -> Callable[[], Any]:
        finish = begin(self, *batch)
        events.append("begun")
        return lambda: events.append("awaited") or finish()

    monkeypatch.setattr(PassageAttention, "_weights", noted)
    monkeypatch.setitem(passage_attention.AHEAD, "cpu", 1)
    assert [attention.as_json() for attention in source.attend(passages, len(passages))] == expected
    batches = events.count("begun")
    assert batches > 4
    assert events == ["begun", *["begun", "awaited"] * (batches - 1), "awaited"]


@pytest.mark.slow
def test_two_processes_give_the_same(encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_attention, "BLOCK_PASSAGES", 3)
    monkeypatch.setitem(passage_attention.BATCH_TOKENS, "cpu", 20)
    source = PassageAttention(encoder_folder, 60, "fp32")
    passages = PASSAGES * 2
    alone = [attention.as_json() for attention in source.attend(passages, len(passages))]
    monkeypatch.setenv("ECQG_THREADS", "2")
    monkeypatch.setattr(passage_attention, "run", partial(pool.run, first=0))
    assert [attention.as_json() for attention in source.attend(passages, len(passages))] == alone


@pytest.mark.usefixtures("fast_bf16")
def test_bf16_is_near_and_still_a_distribution(encoder_folder: Path) -> None:
    exact = [
        a.weights
        for a in PassageAttention(encoder_folder, 60, "fp32").attend(PASSAGES, len(PASSAGES))
    ]
    rough = [
        a.weights
        for a in PassageAttention(encoder_folder, 60, "bf16").attend(PASSAGES, len(PASSAGES))
    ]
    assert any((a != b).any() for a, b in zip(exact, rough, strict=True))
    for a, b in zip(exact, rough, strict=True):
        np.testing.assert_allclose(a, b, atol=0.05)
        assert b.sum() == pytest.approx(1, abs=1e-5)
