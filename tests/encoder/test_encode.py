from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from ecqg.encoder import encode
from ecqg.encoder.encode import Encoding
from ecqg.encoder.load import load_encoder
from ecqg.encoder.model import score_factor
from ecqg.encoder.score import score_pairs
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.encoder.tokens import Batch, tokenize_passages
from ecqg.errors import InputError
from ecqg.parallel import pool
from ecqg.training.weights import save_model
from small_passages import make_passages
from tiny_models import dual_encoder

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"


@pytest.fixture
def folder(tmp_path, tiny_bert, tokenizer):
    model = dual_encoder(tiny_bert(2, 1), tiny_bert(2, 2), tokenizer)
    model.save(tmp_path / "dual")
    return tmp_path / "dual"


def some_passages(count):
    rng = np.random.default_rng(0)
    words = WORDS.split()
    return make_passages(
        *(
            (words[i % 5] if i % 3 else "", " ".join(rng.choice(words, 1 + i % 20)))
            for i in range(count)
        )
    )


def test_vectors_are_those_of_transformers_alone(folder, encoder_settings):
    """Anyone can load both folders with AutoModel and AutoTokenizer, and gets our vectors."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "passage_encoder")
    passages = some_passages(8)[1:3]
    questions = ["old mill", "king of the castle hill"]
    with torch.no_grad():
        model = AutoModel.from_pretrained(folder / "passage_encoder", add_pooling_layer=False)
        pairs = [(p.title, p.text) for p in passages]
        own = tokenizer(pairs, padding=True, return_tensors="pt")
        want_passages = model(**own).last_hidden_state[:, 0].numpy()
        model = AutoModel.from_pretrained(folder / "question_encoder", add_pooling_layer=False)
        own = tokenizer(questions, padding=True, return_tensors="pt")
        want_questions = model(**own).last_hidden_state[:, 0].numpy()
    got = Encoding(folder / "passage_encoder", encoder_settings).passages(passages)
    np.testing.assert_allclose(got, want_passages, atol=1e-5)
    got = Encoding(folder / "question_encoder", encoder_settings).questions(questions)
    np.testing.assert_allclose(got, want_questions, atol=1e-5)
    assert got.dtype == np.float32


def test_a_vector_does_not_depend_on_its_company(folder, encoder_settings, monkeypatch):
    passages = some_passages(50)
    encoder = Encoding(folder / "passage_encoder", encoder_settings)
    together = encoder.passages(passages)
    alone = np.concatenate([encoder.passages([p]) for p in passages])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    monkeypatch.setattr(encode, "WINDOW", 7)
    monkeypatch.setitem(encode.TOKENS_PER_BATCH, "cpu", 40)
    np.testing.assert_allclose(encoder.passages(passages), alone, atol=1e-5)


def test_a_device_may_be_some_batches_ahead(folder, encoder_settings, monkeypatch):
    """As a GPU is: vectors are stored in the order of the batches, each with its own rows."""
    monkeypatch.setitem(encode.TOKENS_PER_BATCH, "cpu", 40)
    encoder = Encoding(folder / "passage_encoder", encoder_settings)
    passages = some_passages(30)
    at_once = encoder.passages(passages)
    events = []
    whole = encode.to_host

    def begin(vectors):
        wait = whole(vectors)
        events.append("begun")
        return lambda: events.append("stored") or wait()

    monkeypatch.setattr(encode, "to_host", begin)
    monkeypatch.setitem(encode.AHEAD, "cpu", 2)
    assert np.array_equal(encoder.passages(passages), at_once)
    count = events.count("begun")
    assert count > 5
    assert events == ["begun"] * 2 + ["begun", "stored"] * (count - 2) + ["stored"] * 2


@pytest.mark.slow
def test_two_processes_give_the_same_bytes(folder, encoder_settings, monkeypatch):
    monkeypatch.setitem(encode.TOKENS_PER_BATCH, "cpu", 40)
    encoder = Encoding(folder / "passage_encoder", encoder_settings)
    passages = some_passages(30)
    alone = encoder.passages(passages)
    monkeypatch.setenv("ECQG_THREADS", "2")
    monkeypatch.setattr(encode, "run", partial(pool.run, first=0))
    assert np.array_equal(encoder.passages(passages), alone)


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_device_is_never_asked_for_values(tiny_bert, tokenizer, pooling):
    """Tensors on the meta device have none, so that whatever would wait for one fails."""
    texts = [p.text for p in some_passages(9)]
    batch = tokenize_passages(tokenizer, [""] * 9, texts, 20).batch(np.arange(9))
    on_device = Batch(**{name: tensor.to("meta") for name, tensor in vars(batch).items()})
    vectors = TextEncoder(tiny_bert(2), pooling).to("meta")(on_device)
    assert vectors.device.type == "meta"
    assert vectors.shape == (9, 16)


@pytest.mark.usefixtures("fast_bf16")
def test_bf16_is_near(folder, encoder_settings):
    passages = some_passages(10)
    exact = Encoding(folder / "passage_encoder", encoder_settings).passages(passages)
    settings = replace(encoder_settings, precision="bf16")
    near = Encoding(folder / "passage_encoder", settings).passages(passages)
    assert near.dtype == np.float32
    assert not np.array_equal(near, exact)
    assert np.abs(near - exact).max() < 0.15


def test_scores_of_pairs_are_dot_products_and_each_passage_is_encoded_once(
    folder, encoder_settings, monkeypatch, tmp_path
):
    passages = some_passages(6)
    rows = [4, 1, 4, 0, 1, 1, 5]
    questions = [f"{word} of the hill" for word in WORDS.split()[5:12]]
    encoded = []
    whole = Encoding.passages
    monkeypatch.setattr(
        Encoding, "passages", lambda self, p, *_: encoded.extend(p) or whole(self, p)
    )
    monkeypatch.setattr("ecqg.encoder.score.WINDOW", 2)
    scores = score_pairs(folder, questions, rows, passages, encoder_settings)
    assert [p.row for p in encoded] == [0, 1, 4, 5]
    q = Encoding(folder / "question_encoder", encoder_settings).questions(questions)
    p = Encoding(folder / "passage_encoder", encoder_settings).passages(passages)
    want = [q[i] @ p[row] / 4 for i, row in enumerate(rows)]  # hidden is 16
    np.testing.assert_allclose(scores, want, atol=1e-4)
    settings = replace(encoder_settings, score_scale="none")
    unscaled = score_pairs(folder, questions, rows, passages, settings)
    np.testing.assert_allclose(unscaled, scores * 4, rtol=1e-5)
    assert score_factor("none", 16) == 1.0

    monkeypatch.setattr("ecqg.shards.SECONDS", 0)
    kept, encoded[:] = tmp_path / "kept", []
    stopping = [*passages[:4], None, passages[5]]  # the second window cannot be encoded
    with pytest.raises(AttributeError):
        score_pairs(folder, questions, rows, stopping, encoder_settings, kept)
    del encoded[:]
    again = score_pairs(folder, questions, rows, passages, encoder_settings, kept)
    assert [p.row for p in encoded] == [4, 5]
    np.testing.assert_array_equal(again, scores)


def test_saving_twice_gives_the_same_bytes_and_no_trace_of_the_place(
    tmp_path, tiny_bert, tokenizer
):
    for name in ("a", "b"):
        save_model(tmp_path / name, tiny_bert(1, 3), tokenizer)
    save_model(tmp_path / "c", *load_encoder(tmp_path / "a"))
    names = sorted(p.name for p in (tmp_path / "a").iterdir())
    assert names == ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
    for name in names:
        first = (tmp_path / "a" / name).read_bytes()
        assert (tmp_path / "b" / name).read_bytes() == first
        assert (tmp_path / "c" / name).read_bytes() == first
        assert str(tmp_path).encode() not in first


def test_a_folder_that_cannot_be_loaded_is_one_line(tmp_path, tiny_bert, tokenizer):
    from safetensors.torch import load_file, save_file

    good = tmp_path / "good"
    save_model(good, tiny_bert(1, 3), tokenizer)

    def broken(change, match):
        import shutil

        bad = tmp_path / "bad"
        shutil.rmtree(bad, ignore_errors=True)
        shutil.copytree(good, bad)
        change(bad)
        with pytest.raises(InputError, match=match) as error:
            load_encoder(bad)
        assert "\n" not in str(error.value)

    def weights(change):
        def apply(bad):
            tensors = load_file(bad / "model.safetensors")
            change(tensors)
            save_file(tensors, bad / "model.safetensors", metadata={"format": "pt"})

        return apply

    key = "encoder.layer.0.output.dense.weight"
    broken(lambda bad: (bad / "model.safetensors").unlink(), "no model.safetensors")
    broken(lambda bad: (bad / "tokenizer.json").unlink(), "no tokenizer.json")
    broken(lambda bad: (bad / "model.safetensors").write_bytes(b"x" * 50), "cannot be loaded")
    broken(lambda bad: (bad / "config.json").write_text('{"model_type": "t5"}'), "is t5")
    broken(weights(lambda t: t.pop(key)), f"lacks weight {key}")
    broken(weights(lambda t: t.update(more=torch.zeros(2))), "has the unknown weight more")
    broken(weights(lambda t: t.update({key: torch.zeros(2, 2)})), "cannot be loaded|lacks")
    with pytest.raises(InputError, match="no such folder"):
        load_encoder(tmp_path / "nowhere")

    bad = tmp_path / "bad"
    weights(lambda t: t.update({"pooler.dense.bias": torch.zeros(16)}))(good)
    load_encoder(good)  # a pooler is no news
    assert bad.is_dir()
