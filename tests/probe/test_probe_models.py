"""What a MODEL on the command line is, and what is refused."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import public_encoders as public
from ecqg.errors import InputError
from ecqg.probe.models import find_model, load


@pytest.fixture
def copied(cls_folder, tmp_path):
    shutil.copytree(cls_folder, tmp_path / "model")
    return tmp_path / "model"


def test_a_retriever_of_ours_has_two_halves(cls_folder, tmp_path):
    for half in ("question_encoder", "passage_encoder"):
        shutil.copytree(cls_folder, tmp_path / "dpr" / half)
    name, question, passage = find_model(str(tmp_path / "dpr"))
    assert (name, question.name, passage.name) == ("dpr", "question_encoder", "passage_encoder")
    pair = f"{tmp_path}/dpr/question_encoder,{tmp_path}/dpr/passage_encoder"
    assert find_model(pair) == ("dpr", question, passage)


def test_limit_and_pooling_are_the_folders(mean_folder, cls_folder):
    mean, cls = load(find_model(str(mean_folder))), load(find_model(str(cls_folder)))
    assert (mean.passage.pooling, cls.passage.pooling) == ("mean", "cls")
    assert (mean.max_tokens, cls.max_tokens) == (60, 70)  # max_seq_length; positions
    assert load(find_model(str(mean_folder)), 24).max_tokens == 24


def test_cosine_where_the_folder_says_so(mean_folder, tmp_path):
    shutil.copytree(mean_folder, tmp_path / "cosine")
    settings = {"similarity_fn_name": "cosine"}
    file = tmp_path / "cosine" / "config_sentence_transformers.json"
    file.write_text(json.dumps(settings))
    vectors = np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)
    cosine, dot = load(find_model(str(tmp_path / "cosine"))), load(find_model(str(mean_folder)))
    np.testing.assert_allclose(cosine.comparable(vectors), [[0.6, 0.8], [0, 0]], rtol=1e-6)
    assert dot.comparable(vectors) is vectors


def test_question_vectors_are_the_question_encoders(mean_folder, tmp_path):
    reference = public.make_plain(tmp_path / "bert", "bert")
    from transformers import AutoTokenizer

    model = load(find_model(f"{tmp_path / 'bert'},{tmp_path / 'bert'}"))
    encoded = AutoTokenizer.from_pretrained(tmp_path / "bert")("old mill", return_tensors="pt")
    wanted = reference(encoded).detach().numpy()
    np.testing.assert_allclose(model.encode_questions(["old mill"])[0], wanted, atol=1e-5)


def refused(argument, most=None):
    with pytest.raises(InputError) as caught:
        load(find_model(str(argument)), most)
    return str(caught.value)


def test_no_tokenizer(copied):
    for file in copied.glob("tokenizer*"):
        file.unlink()
    assert "no tokenizer.json or vocab.txt or vocab.json" in refused(copied)


def test_pickled_weights(copied):
    (copied / "model.safetensors").rename(copied / "pytorch_model.bin")
    assert "a pickle, which can run code" in refused(copied)


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_remote_code(copied, name):
    settings = json.loads((copied / name).read_text())
    (copied / name).write_text(json.dumps({**settings, "auto_map": {"AutoModel": "x.Model"}}))
    assert f"{name}: auto_map names code" in refused(copied)


def test_halves_of_two_models(mean_folder, cls_folder):
    wrong = refused(f"{mean_folder},{cls_folder}")
    assert "its vectors have 12 dimensions" in wrong
    assert "16; give two encoders" in wrong


def test_more_tokens_than_positions(cls_folder):
    assert "has 70 positions, --max-tokens is 71" in refused(cls_folder, 71)


@pytest.mark.parametrize("name", ["nowhere", "some/model", "some/model@main", "a/b/c"])
def test_what_is_nothing(name):
    assert refused(name).startswith(f"{name}: no such folder")
