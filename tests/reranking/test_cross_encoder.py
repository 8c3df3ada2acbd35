"""The cross-encoder against transformers' own class, which alone can load it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from ecqg.errors import InputError
from ecqg.reranking import model
from ecqg.reranking.pairs import Pairs
from small_passages import make_passages

QUESTIONS = ["who built the bridge of brun", "where flows the river", "old king"]
PASSAGES = make_passages(
    ("Brun", "The bridge of Brun was built in the old town. " * 3),
    ("", "The river flows past Avel."),
)
ROWS = np.array([0, 1, 2, 0]), np.array([0, 1, 1, 1])


@pytest.fixture(params=[False, True], ids=["plain", "marked"])
def reranker(request, encoder_folder, settings):
    torch.manual_seed(1)
    return model.start(encoder_folder, replace(settings, layers=2, mark_overlap=request.param))


def test_transformers_alone_gives_the_same_scores(reranker, tmp_path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model.save(reranker, tmp_path)
    theirs = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    assert type(theirs).__name__ == "BertForSequenceClassification"
    assert theirs.config.num_labels == 1
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    inputs = tokenizer(
        [QUESTIONS[i] for i in ROWS[0]],
        [f"{PASSAGES[i].title} {PASSAGES[i].text}".strip() for i in ROWS[1]],
        truncation="only_second",
        max_length=40,
        padding=True,
        return_tensors="pt",
    )
    ours = model.load(tmp_path)
    assert (ours.form, ours.precision) == (reranker.form, "fp32")
    batch = Pairs(ours.tokenizer, QUESTIONS, PASSAGES, ours.form).batch(*ROWS)
    if ours.form.mark_overlap:  # the one thing that a tokenizer cannot know
        assert batch.types.max() == 3
        inputs["token_type_ids"][batch.mask] = batch.types
    with torch.no_grad():
        expected = theirs(**inputs).logits[:, 0]
        assert torch.allclose(ours.scores(batch), expected, atol=1e-5)
    assert expected.std() > 0.01
    assert not list(tmp_path.glob("*.bin"))


def test_it_starts_as_the_encoder_with_more_on_top(reranker, encoder_folder) -> None:
    old = load_file(encoder_folder / "model.safetensors")
    new = {k: v.contiguous() for k, v in reranker.model.bert.state_dict().items()}
    types = "embeddings.token_type_embeddings.weight"
    for name in old.keys() - {types}:
        assert torch.equal(new[name], old[name]), name
    if reranker.form.mark_overlap:
        assert torch.equal(new[types], old[types][[0, 1, 1, 0]])
    else:
        assert torch.equal(new[types], old[types])
    assert {name for name in new if name not in old} >= {"pooler.dense.weight"}
    assert reranker.model.config.num_hidden_layers == 2


def test_lengths_that_cannot_be(encoder_folder, settings) -> None:
    with pytest.raises(InputError, match=r"max_tokens is 49; .* at most the encoder's 48 pos"):
        model.start(encoder_folder, replace(settings, max_tokens=49))


def test_a_folder_that_is_no_reranker(reranker, tmp_path) -> None:
    with pytest.raises(InputError, match="no re-ranker; train one with 'ecqg train-reranker'"):
        model.load(tmp_path)
    model.save(reranker, tmp_path)
    record = json.loads((tmp_path / "reranker.json").read_text())
    assert record["form"] == {
        "max_tokens": 40,
        "max_question_tokens": 12,
        "mark_overlap": reranker.form.mark_overlap,
    }
    weights = load_file(tmp_path / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"weight classifier\.weight is missing"):
        model.load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"cannot be loaded \(.+\); train it again"):
        model.load(tmp_path)
