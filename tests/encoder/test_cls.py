from __future__ import annotations

import numpy as np
import pytest
import torch

from ecqg.attention.passage_attention import cls_weights
from ecqg.encoder import architectures
from ecqg.encoder.architectures import attend_first, cls_vectors, layer_views, mean_vectors
from ecqg.encoder.tokens import tokenize_passages

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"

TITLES = ["old mill", "", "king", "queen song ship"]
TEXTS = [WORDS, "the river", "castle hill " * 20, "town"]


@pytest.fixture(params=["each", "together"])
def attend(request, monkeypatch):
    """Attention as on a CPU and as on a GPU, here both on the CPU."""
    way = getattr(architectures, f"_attend_{request.param}")
    monkeypatch.setattr(architectures, "_attend_each", way)


def reference(model, tokenizer):
    """transformers' own forward pass on padded pairs; an empty title is a single sequence."""
    vectors = []
    for title, text in zip(TITLES, TEXTS, strict=True):
        pair = (title, text) if title else (text,)
        encoded = tokenizer(
            *pair,
            truncation="only_second" if title else True,
            max_length=20,
            padding="max_length",
            return_tensors="pt",
        )
        vectors.append(model(**encoded).last_hidden_state[0, 0])
    return torch.stack(vectors)


@pytest.mark.usefixtures("attend")
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_values_and_gradients_are_those_of_the_whole_forward_pass(layers, tiny_bert, tokenizer):
    model = tiny_bert(layers)
    batch = tokenize_passages(tokenizer, TITLES, TEXTS, 20).batch(np.arange(4))
    weights = torch.randn(4, 16)

    ours = cls_vectors(model, batch)
    (ours * weights).sum().backward()
    gradients = {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
    model.zero_grad(set_to_none=True)
    theirs = reference(model, tokenizer)
    (theirs * weights).sum().backward()

    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)
    for name, parameter in model.named_parameters():
        expected = parameter.grad
        if expected is None:
            assert name not in gradients
            continue
        got = gradients.get(name, torch.zeros_like(expected))
        torch.testing.assert_close(got, expected, atol=2e-5, rtol=1e-4, msg=name)


@torch.no_grad()
@pytest.mark.usefixtures("attend")
@pytest.mark.parametrize("compute", [cls_vectors, mean_vectors, cls_weights])
@pytest.mark.parametrize("rows", [[0, 1, 2, 3], [2, 2], [1], [3, 1, 3]])
def test_padding_that_is_computed_changes_nothing(compute, rows, tiny_bert, tokenizer):
    model = tiny_bert(3)
    tokens = tokenize_passages(tokenizer, TITLES, TEXTS, 20)
    packed, padded = (tokens.batch(np.array(rows), share) for share in (-1.0, 100.0))
    lengths = tokens.lengths()[rows]
    assert len(packed.ids) == lengths.sum()
    assert len(padded.ids) == len(rows) * lengths.max()
    ours = compute(model, padded)
    torch.testing.assert_close(ours, compute(model, packed), atol=1e-5, rtol=1e-5)


def test_a_batch_is_padded_where_that_adds_little(tokenizer):
    tokens = tokenize_passages(tokenizer, ["", ""], [WORDS, WORDS + " the"], 40)
    lengths = tokens.lengths()
    assert lengths[0] + 1 == lengths[1]
    share = 1 / lengths.sum()
    assert len(tokens.batch(np.arange(2), share * 0.99).ids) == lengths.sum()
    assert len(tokens.batch(np.arange(2), share * 1.01).ids) == 2 * lengths[1]


@pytest.mark.parametrize("kind", ["Question", "Context"])
def test_equals_the_encoders_of_transformers_dpr(kind, tiny_bert, tokenizer):
    import transformers

    model = tiny_bert(2)
    config = transformers.DPRConfig(**{**model.config.to_dict(), "projection_dim": 0})
    dpr = getattr(transformers, f"DPR{kind}Encoder")(config).eval()
    part = "question_encoder" if kind == "Question" else "ctx_encoder"
    getattr(dpr, part).bert_model.load_state_dict(model.state_dict(), strict=True)

    batch = tokenize_passages(tokenizer, TITLES, TEXTS, 20).batch(np.array([0, 2, 3]))
    pairs = [(TITLES[i], TEXTS[i]) for i in (0, 2, 3)]
    encoded = tokenizer(
        pairs, truncation="only_second", max_length=20, padding=True, return_tensors="pt"
    )
    with torch.no_grad():
        expected = dpr(**encoded).pooler_output
        torch.testing.assert_close(cls_vectors(model, batch), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.slow
def test_attention_dropout_keeps_the_expected_vector_close(tiny_bert, tokenizer):
    """Attention dropout scales the kept weights up: before the residual norm the mean is kept."""
    model = tiny_bert(1)
    batch = tokenize_passages(tokenizer, TITLES, TEXTS, 20).batch(np.arange(4))
    (layer,) = layer_views(model)
    tokens = model.embeddings(
        input_ids=batch.ids[None],
        token_type_ids=batch.types[None],
        position_ids=batch.positions[None],
    )[0]
    with torch.no_grad():
        plain = attend_first(layer, tokens[batch.starts], tokens, batch)
        layer.dropout.p = 0.3
        model.train()
        torch.manual_seed(1)
        draws = torch.stack(
            [attend_first(layer, tokens[batch.starts], tokens, batch) for _ in range(4000)]
        )
    assert not torch.allclose(draws[0], plain, atol=1e-3)
    torch.testing.assert_close(draws.mean(0), plain, atol=0.06, rtol=0.05)


def test_dropout_drops_attention_weights_of_lower_layers(attend, tiny_bert, tokenizer):
    """Two draws differ; the same random numbers give the same vectors."""
    model = tiny_bert(2)
    batch = tokenize_passages(tokenizer, TITLES, TEXTS, 20).batch(np.arange(4))
    layer_views(model)[0].dropout.p = 0.5
    model.train()

    def draw(seed):
        torch.manual_seed(seed)
        return cls_vectors(model, batch)

    with torch.no_grad():
        assert torch.equal(draw(1), draw(1))
        assert not torch.allclose(draw(1), draw(2), atol=1e-3)
