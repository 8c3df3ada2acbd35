"""Our encoders in other packages' formats give the vectors that they give here."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch

from ecqg.encoder.encode import Encoding
from ecqg.encoder.export import export_dpr, export_sentence_transformers
from ecqg.encoder.model import DualEncoder
from ecqg.errors import InputError
from public_encoders import MAKERS
from small_passages import make_passages
from tiny_models import dual_encoder

PASSAGES = make_passages(
    ("old mill", "the river flows past the town"),
    ("king", "the old king built a castle"),
    ("", "song of the ship"),
)
QUESTIONS = ["what flows past the old town", "who built it", "ship " * 30]


@pytest.fixture
def retriever(tmp_path, tiny_bert, tokenizer):
    dual_encoder(tiny_bert(2, 1), tiny_bert(2, 2), tokenizer).save(tmp_path / "dpr")
    return tmp_path / "dpr"


def ours(retriever, settings):
    questions = Encoding(retriever / "question_encoder", settings).questions(QUESTIONS)
    return questions, Encoding(retriever / "passage_encoder", settings).passages(PASSAGES)


def same_bytes(write, tmp_path):
    for name in ("a", "b"):
        write(tmp_path / name)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    for file in files:
        content = (tmp_path / "a" / file).read_bytes() if (tmp_path / "a" / file).is_file() else b""
        if content:
            assert (tmp_path / "b" / file).read_bytes() == content
            assert str(tmp_path).encode() not in content


def test_dpr_folders_are_loaded_by_transformers(retriever, tmp_path, encoder_settings):
    import transformers as t

    export_dpr(retriever, tmp_path / "out")
    questions, passages = ours(retriever, encoder_settings)
    folder = tmp_path / "out" / "question_encoder"
    tokenizer = t.DPRQuestionEncoderTokenizerFast.from_pretrained(folder)
    model, report = t.DPRQuestionEncoder.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"] and not report["unexpected_keys"]
    encoded = tokenizer(
        QUESTIONS, padding=True, truncation=True, max_length=12, return_tensors="pt"
    )
    with torch.no_grad():
        np.testing.assert_allclose(model.eval()(**encoded).pooler_output, questions, atol=1e-5)

    folder = tmp_path / "out" / "passage_encoder"
    tokenizer = t.DPRContextEncoderTokenizerFast.from_pretrained(folder)
    model, report = t.DPRContextEncoder.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"] and not report["unexpected_keys"]
    for passage, vector in zip(PASSAGES, passages, strict=True):
        texts = (passage.title, passage.text) if passage.title else (passage.text,)
        with torch.no_grad():
            got = model.eval()(**tokenizer(*texts, return_tensors="pt")).pooler_output[0]
        np.testing.assert_allclose(got, vector, atol=1e-5)
    again = ours(tmp_path / "out", encoder_settings)  # and our own reader takes it back
    np.testing.assert_array_equal(again[0], questions)
    np.testing.assert_array_equal(again[1], passages)
    assert t.AutoConfig.from_pretrained(folder).model_type == "dpr"


@pytest.mark.parametrize("typed", [True, False])
def test_a_dpr_folder_keeps_the_token_types_that_its_encoders_had(
    typed, retriever, tmp_path, encoder_settings
):
    from transformers import AutoTokenizer

    names = ["input_ids", *["token_type_ids"] * typed, "attention_mask"]
    if not typed:
        for half in ("question_encoder", "passage_encoder"):
            file = retriever / half / "tokenizer_config.json"
            settings = json.loads(file.read_text())
            file.write_text(json.dumps({**settings, "model_input_names": names}))
    export_dpr(retriever, tmp_path / "out")
    folder = tmp_path / "out" / "passage_encoder"
    assert AutoTokenizer.from_pretrained(folder).model_input_names == names
    before, after = (ours(place, encoder_settings) for place in (retriever, tmp_path / "out"))
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1], before[1])
    # What the folder says is what counts: without it, types are 0 as of public ones.
    file = folder / "tokenizer_config.json"
    settings = json.loads(file.read_text())
    del settings["model_input_names"]
    file.write_text(json.dumps(settings))
    public = ours(tmp_path / "out", encoder_settings)[1]
    assert np.allclose(public[:2], before[1][:2], atol=1e-3) == (not typed)
    np.testing.assert_array_equal(public[2], before[1][2])  # has no title


def test_the_sentence_transformers_package_gives_our_vectors(
    retriever, tmp_path, encoder_settings, recwarn, caplog, capfd
):
    from sentence_transformers import SentenceTransformer

    settings = replace(encoder_settings, max_passage_tokens=14)
    export_sentence_transformers(retriever, tmp_path / "out", settings)
    questions, passages = ours(retriever, settings)
    capfd.readouterr()
    model = SentenceTransformer(str(tmp_path / "out"), device="cpu")
    assert not recwarn.list and not caplog.records
    assert "MISSING" not in "".join(capfd.readouterr())  # the table of weights of transformers
    assert model.similarity_fn_name == "dot"
    np.testing.assert_allclose(model.encode_query(QUESTIONS), questions, atol=1e-5)
    titled = [(p.title, p.text) for p in PASSAGES[:2]]
    np.testing.assert_allclose(model.encode_document(titled), passages[:2], atol=1e-5)
    np.testing.assert_allclose(model.encode_document([PASSAGES[2].text]), passages[2:], atol=1e-5)
    # A title is part of what is encoded.
    assert not np.allclose(model.encode_document([PASSAGES[0].text]), passages[:1], atol=1e-2)


def test_a_router_is_read_back(retriever, tmp_path, encoder_settings):
    from ecqg.probe.models import find_model, load

    settings = replace(encoder_settings, max_passage_tokens=14)
    export_sentence_transformers(retriever, tmp_path / "out", settings)
    halves = find_model(str(tmp_path / "out"))
    assert halves.name == "out"
    questions, passages = ours(retriever, settings)
    model = load(halves)
    assert (model.max_tokens, model.cosine) == (14, False)
    np.testing.assert_array_equal(
        Encoding(halves.question, settings).questions(QUESTIONS), questions
    )
    np.testing.assert_array_equal(Encoding(halves.passage, settings).passages(PASSAGES), passages)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r["structure"].pop("query"), "its routes are document; they must be"),
        (lambda r: r["structure"]["query"].clear(), "a module without a name"),
        (lambda r: r["structure"]["query"].insert(0, "../x"), "a module ../x"),
        (lambda r: r.pop("types"), "no Router"),
    ],
)
def test_a_router_that_is_none_is_one_line(change, said, retriever, tmp_path, encoder_settings):
    from ecqg.probe.models import find_model

    export_sentence_transformers(retriever, tmp_path / "out", encoder_settings)
    file = tmp_path / "out" / "router_config.json"
    router = json.loads(file.read_text())
    change(router)
    file.write_text(json.dumps(router))
    with pytest.raises(InputError, match=said):
        find_model(str(tmp_path / "out"))


def test_exports_are_the_same_bytes_twice(retriever, tmp_path, encoder_settings):
    same_bytes(lambda out: export_dpr(retriever, out / "x"), tmp_path / "dpr-twice")
    same_bytes(
        lambda out: export_sentence_transformers(retriever, out / "x", encoder_settings),
        tmp_path / "sbert-twice",
    )


def test_the_command_writes_a_new_folder_only(retriever, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from ecqg import paths
    from ecqg.cli import app
    from ecqg.profiles import FOLDER

    monkeypatch.chdir(tmp_path)
    shutil.copyfile(FOLDER / "microcosm.yaml", "params.yaml")
    shutil.copytree(retriever, paths.retriever("mixed"))
    for name, file in (
        ("dpr", "passage_encoder/config.json"),
        ("sentence-transformers", "router_config.json"),
    ):
        command = ["export-model", "mixed", "--format", name, "--output", f"out/{name}"]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        assert (tmp_path / "out" / name / file).is_file()
        again = CliRunner().invoke(app, command)
        assert again.exit_code == 1
        assert again.stderr == f"ecqg: out/{name}: exists already; name a new folder\n"


def test_a_missing_retriever_is_one_line_and_leaves_nothing(tmp_path, encoder_settings):
    with pytest.raises(InputError, match="no such folder"):
        export_dpr(tmp_path / "none", tmp_path / "out")
    with pytest.raises(InputError, match="no such folder"):
        export_sentence_transformers(tmp_path / "none", tmp_path / "out", encoder_settings)
    assert not (tmp_path / "out").exists()


def test_vectors_that_are_means_stay_so(tmp_path, encoder_settings):
    from sentence_transformers import SentenceTransformer

    MAKERS["sbert bare"](tmp_path / "start")
    DualEncoder.load(tmp_path / "start").save(tmp_path / "ours")
    settings = replace(encoder_settings, max_passage_tokens=40)
    export_sentence_transformers(tmp_path / "ours", tmp_path / "out", settings)
    model = SentenceTransformer(str(tmp_path / "out"), device="cpu")
    questions, passages = ours(tmp_path / "ours", settings)
    np.testing.assert_allclose(np.linalg.norm(questions, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(model.encode_query(QUESTIONS), questions, atol=1e-5)
    titled = [(p.title, p.text) for p in PASSAGES[:2]]
    np.testing.assert_allclose(model.encode_document(titled), passages[:2], atol=1e-5)
    with pytest.raises(InputError, match=r"no \[CLS\] of a BERT.*--format sentence-transformers"):
        export_dpr(tmp_path / "ours", tmp_path / "dpr")
    assert not (tmp_path / "dpr").exists()
