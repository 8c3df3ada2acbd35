"""Attributions against transformers' own forward pass and against finite differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

from ecqg import shards
from ecqg.analysis.attribution import PassageAttribution
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "the", "old", "mill", "ann", "##a"]
WORDS += ["vale", "bought", "from", "harriet", "river"]
TEXT = "anna vale bought the old mill from harriet vale. anna left the river."
VALE, ANNA, RIVER = ((5, 9), (43, 47)), ((0, 4), (49, 53)), ((63, 68),)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    BertTokenizerFast.from_pretrained(str(folder)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def own(folder: Path) -> tuple[BertModel, BertTokenizerFast]:
    model = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    return model, BertTokenizerFast.from_pretrained(str(folder))


def passage(text: str = TEXT, title: str = "the mill") -> Passage:
    return Passage(0, "p", title, text, (0,))


def pieces(tokenizer: BertTokenizerFast, spans: tuple[tuple[int, int], ...]) -> list[int]:
    """Places of the word pieces of a text's spans in the sequence, by the tokenizer itself."""
    encoded = tokenizer("the mill", TEXT, return_offsets_mapping=True)
    return [
        i
        for i, (part, (a, b)) in enumerate(
            zip(encoded.sequence_ids(), encoded["offset_mapping"], strict=True)
        )
        if part == 1 and any(a < end and b > start for start, end in spans)
    ]


def test_leaving_out_is_masking_in_transformers(folder, own) -> None:
    model, tokenizer = own
    (found,) = PassageAttribution(folder, 64).attribute([passage()], [[VALE, ANNA, RIVER]])
    inputs = tokenizer("the mill", TEXT, return_tensors="pt")
    with torch.no_grad():
        whole = model(**inputs).last_hidden_state[0, 0]
        for spans, value in zip((VALE, ANNA, RIVER), found.left_out, strict=True):
            inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
            inputs["attention_mask"][0, pieces(tokenizer, spans)] = 0
            without = model(**inputs).last_hidden_state[0, 0]
            expected = 1 - float(torch.cosine_similarity(whole, without, dim=0))
            assert value == pytest.approx(expected, abs=1e-5)
    assert len(set(found.left_out)) == 3


def test_gradient_times_input_is_a_directional_derivative(folder, own) -> None:
    model, tokenizer = own
    model = model.double()
    (found,) = PassageAttribution(folder, 64).attribute([passage()], [[VALE, ANNA, RIVER]])
    inputs = tokenizer("the mill", TEXT, return_tensors="pt")
    types = inputs["token_type_ids"]
    words = model.embeddings.word_embeddings(inputs["input_ids"]).detach()

    def vector(embeddings: torch.Tensor) -> torch.Tensor:
        out = model(inputs_embeds=embeddings, token_type_ids=types)
        return out.last_hidden_state[0, 0].detach()

    direction = vector(words)
    direction = direction / direction.norm()
    for spans, value in zip((VALE, ANNA, RIVER), found.gradient, strict=True):
        expected = []
        for place in pieces(tokenizer, spans):
            step = torch.zeros_like(words)
            step[0, place] = 1e-5 * words[0, place]
            slope = (vector(words + step) - vector(words - step)) @ direction / 2e-5
            expected.append(abs(float(slope)))
        assert value == pytest.approx(np.mean(expected), rel=1e-3, abs=1e-5)


def test_what_the_encoder_does_not_see_has_no_attribution(folder) -> None:
    (found,) = PassageAttribution(folder, 12).attribute([passage(title="")], [[VALE, RIVER, ANNA]])
    assert np.isnan(found.gradient).tolist() == [False, True, False]
    assert np.isnan(found.left_out).tolist() == [False, True, False]


def test_too_little_memory_names_the_parameter(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 2 GiB")

    monkeypatch.setattr(PassageAttribution, "_gradient", too_much)
    with pytest.raises(InputError, match=r"out of memory \(CUDA.*\); lower encoder.max_passage"):
        PassageAttribution(folder, 12).attribute([passage()], [[VALE]])


def test_what_was_attributed_is_not_attributed_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passages, entities = [passage(), passage(title="")], [[VALE, ANNA, RIVER], [RIVER]]
    expected = PassageAttribution(folder, 12).attribute(passages, entities)
    whole, rows = PassageAttribution._one, []

    def until_stopped(self: PassageAttribution, tokens: Any, row: int, places: Any) -> Any:
        rows.append(row)
        if len(rows) == 2:
            raise KeyboardInterrupt
        return whole(self, tokens, row, places)

    monkeypatch.setattr(PassageAttribution, "_one", until_stopped)
    monkeypatch.setattr(shards, "SECONDS", 0)
    with pytest.raises(KeyboardInterrupt):
        PassageAttribution(folder, 12).attribute(passages, entities, tmp_path / "kept")
    found = PassageAttribution(folder, 12).attribute(passages, entities, tmp_path / "kept")
    assert rows == [0, 1, 1]
    for got, want in zip(found, expected, strict=True):
        np.testing.assert_array_equal(got.gradient, want.gradient)  # NaN where it is not seen
        np.testing.assert_array_equal(got.left_out, want.left_out)
    assert np.isnan(expected[0].gradient).any()
