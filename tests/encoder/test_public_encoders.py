"""Public dual encoders give the vectors that transformers' own forward pass gives."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from ecqg.encoder.encode import Encoding
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.encoder.tokens import tokenize_passages
from ecqg.errors import InputError
from public_encoders import MAKERS, WORDS, make_ance, make_dpr, make_plain
from public_encoders import make_sentence_transformer as make_sbert
from small_passages import make_passages

TITLES = ["old mill", "", "king", "queen song ship", "ship"]
TEXTS = [WORDS, "the river", "castle hill " * 20, "town", "the king, in the thin thing"]
QUESTIONS = ["the old mill", "king of the castle hill", WORDS * 3]


@pytest.fixture(params=MAKERS)
def made(request, tmp_path):
    """A folder and transformers' word on it."""
    return tmp_path / "public", MAKERS[request.param](tmp_path / "public")


def expected(folder, reference, pair, limit):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    truncation = "only_second" if len(pair) == 2 else True
    encoded = tokenizer(*pair, truncation=truncation, max_length=limit, return_tensors="pt")
    with torch.no_grad():
        return reference(encoded).numpy()


def test_vectors_of_passages_and_questions_are_those_of_transformers(made, encoder_settings):
    folder, reference = made
    encoding = Encoding(folder, replace(encoder_settings, max_passage_tokens=50))
    passages = make_passages(*zip(TITLES, TEXTS, strict=True))
    got = encoding.passages(passages)
    assert got.shape == (5, encoding.hidden)
    for vector, passage in zip(got, passages, strict=True):
        pair = (passage.title, passage.text) if passage.title else (passage.text,)
        np.testing.assert_allclose(vector, expected(folder, reference, pair, 50), atol=1e-5)
    for vector, question in zip(encoding.questions(QUESTIONS), QUESTIONS, strict=True):
        np.testing.assert_allclose(vector, expected(folder, reference, (question,), 12), atol=1e-5)
    assert np.ptp(got, axis=0).max() > 0.1  # texts differ, so the comparison says something


@pytest.mark.usefixtures("fast_bf16")
def test_bf16_is_near(made, encoder_settings):
    exact = Encoding(made[0], encoder_settings).questions(QUESTIONS)
    near = Encoding(made[0], replace(encoder_settings, precision="bf16")).questions(QUESTIONS)
    assert not np.array_equal(near, exact)
    assert np.abs(near - exact).max() < 0.2


def test_tokens_are_the_tokenizers_own_pairs(made):
    folder, _ = made
    _, tokenizer = load_text_encoder(folder)
    tokens = tokenize_passages(tokenizer, TITLES, TEXTS, 50)
    batch = tokens.batch(np.arange(5))
    for i, (title, text) in enumerate(zip(TITLES, TEXTS, strict=True)):
        if title:
            want = tokenizer(title, text, truncation="only_second", max_length=50)
        else:
            want = tokenizer(text, truncation=True, max_length=50)
        own = batch.slots // batch.mask.shape[1] == i
        assert batch.ids[own].tolist() == want["input_ids"]
        types = want.get("token_type_ids", [0] * len(want["input_ids"]))
        assert batch.types[own].tolist() == types
        segments = want.sequence_ids(0)
        second = segments.index(1) if title else len(segments)
        assert tokens.second[i] == second
        if title:
            assert segments[second - tokens.separators - 1] == 0


def test_dpr_has_token_types_only_where_its_tokenizer_says_so(tmp_path, encoder_settings):
    reference = make_dpr(tmp_path / "dpr", "Context", 0)
    (passage,) = make_passages(("old mill", "the river flows"))
    file = tmp_path / "dpr" / "tokenizer_config.json"
    settings = json.loads(file.read_text())
    assert "model_input_names" not in settings  # as the published ones

    def vector(*names):
        more = {"model_input_names": names} if names else {}
        file.write_text(json.dumps({**settings, **more}))
        return Encoding(tmp_path / "dpr", encoder_settings).passages([passage])[0]

    pair = (passage.title, passage.text)
    want = expected(tmp_path / "dpr", reference, pair, 24)
    np.testing.assert_allclose(vector(), want, atol=1e-5)
    np.testing.assert_allclose(vector("input_ids", "attention_mask"), want, atol=1e-5)
    typed = vector("input_ids", "token_type_ids", "attention_mask")
    assert not np.allclose(typed, want, atol=1e-3)

    from transformers import AutoTokenizer, DPRContextEncoder

    model = DPRContextEncoder.from_pretrained(tmp_path / "dpr").eval()
    encoded = AutoTokenizer.from_pretrained(tmp_path / "dpr")(*pair, return_tensors="pt")
    assert 1 in encoded["token_type_ids"]
    with torch.no_grad():
        np.testing.assert_allclose(typed, model(**encoded).pooler_output[0], atol=1e-5)


def test_a_bert_without_token_types_leaves_them_zero(tmp_path, encoder_settings):
    reference = make_plain(tmp_path / "bert", "bert")
    (passage,) = make_passages(("old mill", "the river flows"))
    with_types = Encoding(tmp_path / "bert", encoder_settings).passages([passage])[0]
    file = tmp_path / "bert" / "tokenizer_config.json"
    settings = json.loads(file.read_text())
    file.write_text(json.dumps({**settings, "model_input_names": ["input_ids", "attention_mask"]}))
    without = Encoding(tmp_path / "bert", encoder_settings).passages([passage])[0]
    pair = (passage.title, passage.text)
    np.testing.assert_allclose(without, expected(tmp_path / "bert", reference, pair, 24), atol=1e-5)
    assert not np.allclose(without, with_types, atol=1e-3)


def test_converted_weights_are_those_of_the_pickle(tmp_path, encoder_settings, monkeypatch):
    """By the code of docs/data.md, run as it stands there."""
    make_dpr(tmp_path / "dpr", "Context", 0)
    want = Encoding(tmp_path / "dpr", encoder_settings).questions(QUESTIONS)
    monkeypatch.chdir(tmp_path / "dpr")
    tensors = load_file("model.safetensors")
    tensors["cls.tied"] = tensors["ctx_encoder.bert_model.embeddings.word_embeddings.weight"]
    torch.save(tensors, "pytorch_model.bin")
    Path("model.safetensors").unlink()
    with pytest.raises(InputError, match=r"has only pytorch_model\.bin"):
        load_text_encoder(tmp_path / "dpr")
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    exec(text.split("```python\n")[1].split("```")[0], {})
    got = Encoding(tmp_path / "dpr", encoder_settings).questions(QUESTIONS)
    np.testing.assert_array_equal(got, want)


def test_roberta_has_fewer_tokens_than_positions(tmp_path, encoder_settings):
    make_ance(tmp_path / "ance")  # 72 positions, of which 2 come before the first token
    Encoding(tmp_path / "ance", replace(encoder_settings, max_passage_tokens=70))
    with pytest.raises(InputError, match="the encoder's 70 positions"):
        Encoding(tmp_path / "ance", replace(encoder_settings, max_passage_tokens=71))


def test_weights_in_several_files(tmp_path, encoder_settings):
    """As large models are saved: an index names each tensor's file."""
    make_ance(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    tensors = load_file(tmp_path / "two" / "model.safetensors")
    (tmp_path / "two" / "model.safetensors").unlink()
    parts = {"a.safetensors": sorted(tensors)[::2], "b.safetensors": sorted(tensors)[1::2]}
    for name, keys in parts.items():
        save_file({k: tensors[k] for k in keys}, tmp_path / "two" / name, {"format": "pt"})
    index = {"metadata": {}, "weight_map": {k: n for n, keys in parts.items() for k in keys}}
    (tmp_path / "two" / "model.safetensors.index.json").write_text(json.dumps(index))
    one, two = (
        Encoding(tmp_path / n, encoder_settings).questions(QUESTIONS) for n in ("one", "two")
    )
    assert np.array_equal(one, two)


def change_json(name, **changes):
    def apply(folder):
        file = folder / name
        settings = json.loads(file.read_text()) if file.is_file() else {}
        file.write_text(json.dumps({**settings, **changes}))

    return apply


def change_weights(change, name="model.safetensors"):
    def apply(folder):
        tensors = load_file(folder / name)
        change(tensors)
        save_file(tensors, folder / name, {"format": "pt"})

    return apply


def only_a_pickle(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def other_modules(folder):
    file = folder / "modules.json"
    file.write_text(file.read_text().replace("Normalize", "WordWeights"))


def own_modules(folder):
    file = folder / "modules.json"
    file.write_text(file.read_text().replace("sentence_transformers.models.T", "custom_st.T"))


def ance(folder):
    make_ance(folder)


def dpr(folder):
    make_dpr(folder, "Context", 24)


def distilbert(folder):
    make_plain(folder, "distilbert")


def sbert(folder):
    make_sbert(folder, "bert", "mean")


BROKEN = {
    "pickle": (distilbert, only_a_pickle, "only pytorch_model.bin.*save_file"),
    "type": (distilbert, change_json("config.json", model_type="mpnet"), "model_type is mpnet"),
    "no head": (ance, change_weights(lambda t: t.pop("norm.bias")), "lacks weight norm.bias"),
    "head": (
        ance,
        change_weights(lambda t: t.update({"norm.bias": torch.ones(3)})),
        "norm.bias is",
    ),
    "more": (ance, change_weights(lambda t: t.update(x=torch.ones(3))), "the unknown weight x"),
    "no projection": (
        dpr,
        change_weights(lambda t: t.pop("ctx_encoder.encode_proj.weight")),
        "lacks weight ctx_encoder.encode_proj.weight",
    ),
    "projection": (
        dpr,
        change_json("config.json", projection_dim=0),
        "the unknown weight.*encode_proj",
    ),
    "layer": (
        dpr,
        change_weights(lambda t: [t.pop(k) for k in list(t) if "layer.1.output.dense" in k]),
        "lacks weight .*layer.1.output.dense.bias",
    ),
    "code": (
        distilbert,
        change_json("config.json", auto_map={"AutoModel": "x.Model"}),
        "config.json: auto_map names code of the model's own, and none is run",
    ),
    "tokenizer's code": (
        sbert,
        change_json("tokenizer_config.json", auto_map={"AutoTokenizer": ["x.T", None]}),
        "tokenizer_config.json: auto_map names code",
    ),
    "module's code": (sbert, own_modules, "custom_st.Transformer is code of the model's own"),
    "modules": (sbert, other_modules, "has a module WordWeights"),
    "prompts": (
        sbert,
        change_json("config_sentence_transformers.json", prompts={"query": "query: "}),
        "has prompts",
    ),
    "case": (sbert, change_json("sentence_bert_config.json", do_lower_case=True), "do_lower_case"),
    "pooling": (
        sbert,
        change_json("1_Pooling/config.json", pooling_mode="max"),
        "the pooling is max",
    ),
    "activation": (
        sbert,
        change_json("2_Dense/config.json", activation_function="torch.nn.ReLU"),
        "Dense of an unknown kind",
    ),
    "dense": (
        sbert,
        change_weights(lambda t: t.pop("linear.bias"), "2_Dense/model.safetensors"),
        "lacks weight linear.bias",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_computed_is_refused_in_one_line(case, tmp_path):
    make, change, match = BROKEN[case]
    make(tmp_path / "bad")
    load_text_encoder(tmp_path / "bad")
    change(tmp_path / "bad")
    with pytest.raises(InputError, match=match) as error:
        load_text_encoder(tmp_path / "bad")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert"])
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_equals_the_sentence_transformers_package(kind, pooling, tmp_path, encoder_settings):
    """Folders that the package itself wrote, with every module that we read."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    from public_encoders import random_model

    model, tokenizer = random_model(kind, 4)
    model.save_pretrained(tmp_path / "plain")
    tokenizer.save_pretrained(tmp_path / "plain")
    dense = modules.Dense(16, 8, bias=False, activation_function=torch.nn.Identity())
    whole = SentenceTransformer(
        modules=[
            modules.Transformer(str(tmp_path / "plain")),
            modules.Pooling(16, pooling),
            dense,
            modules.LayerNorm(8),
            modules.Normalize(),
        ],
        device="cpu",
    )
    whole.max_seq_length = 24
    whole.save_pretrained(str(tmp_path / "saved"), create_model_card=False)
    encoding = Encoding(tmp_path / "saved", replace(encoder_settings, max_question_tokens=24))
    np.testing.assert_allclose(encoding.questions(QUESTIONS), whole.encode(QUESTIONS), atol=1e-5)
