"""The baseline: our DPR's own files, or any public dual encoder in its place."""

from __future__ import annotations

import filecmp

import numpy as np
import pytest

from ecqg.corpus.examples import Context
from ecqg.encoder.baseline import make_baseline
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import DualEncoder
from ecqg.encoder.score import score_pairs
from ecqg.errors import InputError
from ecqg.params import Baseline
from public_encoders import MAKERS, make_ance, make_dpr, make_plain, make_sentence_transformer

PASSAGES = [Context("1", "mill", "the river flows past"), Context("2", "", "the old king")]
QUESTIONS = ["what flows past", "who is old", "which river"]


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_trained_is_our_dpr_byte_for_byte(tmp_path, tiny_bert, tokenizer):
    DualEncoder(tiny_bert(1, 1), tiny_bert(1, 2), tokenizer).save(tmp_path / "dpr")
    make_baseline(tmp_path / "baseline", tmp_path / "dpr", Baseline("trained", "", ""))
    names = files(tmp_path / "dpr")
    assert files(tmp_path / "baseline") == names
    same, *different = filecmp.cmpfiles(
        tmp_path / "dpr", tmp_path / "baseline", names, shallow=False
    )
    assert same == names and different == [[], []]


@pytest.mark.parametrize("kind", MAKERS)
def test_scores_are_dot_products_of_the_public_encoders_vectors(kind, tmp_path, encoder_settings):
    MAKERS[kind](tmp_path / "public")
    (tmp_path / "public" / "pytorch_model.bin").write_bytes(b"not needed")
    (tmp_path / "public" / ".git").mkdir()
    (tmp_path / "public" / ".git" / "config.json").write_text("{}")
    name = str(tmp_path / "public")
    make_baseline(tmp_path / "baseline", tmp_path / "none", Baseline("folder", name, name))
    assert not [f for f in files(tmp_path / "baseline") if "bin" in f or "git" in f]
    rows = [0, 1, 0]
    scores = score_pairs(tmp_path / "baseline", QUESTIONS, rows, PASSAGES, encoder_settings)
    q = Encoding(tmp_path / "public", encoder_settings).questions(QUESTIONS)
    p = Encoding(tmp_path / "public", encoder_settings).passages(PASSAGES)
    want = (q * p[rows]).sum(1) * q.shape[1] ** -0.5
    np.testing.assert_allclose(scores, want, rtol=1e-5, atol=1e-6)


def test_two_encoders_are_kept_apart(tmp_path, encoder_settings):
    make_dpr(tmp_path / "q", "Question", 0)
    make_plain(tmp_path / "p", "bert")
    settings = Baseline("folder", str(tmp_path / "q"), str(tmp_path / "p"))
    make_baseline(tmp_path / "out", tmp_path / "none", settings)
    for half, source in (("question_encoder", "q"), ("passage_encoder", "p")):
        got = Encoding(tmp_path / "out" / half, encoder_settings).questions(QUESTIONS)
        want = Encoding(tmp_path / source, encoder_settings).questions(QUESTIONS)
        assert np.array_equal(got, want)


def test_what_cannot_be_a_baseline_is_one_line_and_writes_nothing(tmp_path):
    make_ance(tmp_path / "ance")  # 24 dimensions
    make_sentence_transformer(tmp_path / "sbert", "bert", "mean")  # 12

    def refused(question, passage, match):
        settings = Baseline("folder", question, passage)
        with pytest.raises(InputError, match=match):
            make_baseline(tmp_path / "out", tmp_path / "none", settings)
        assert not (tmp_path / "out").exists()

    ance, sbert = str(tmp_path / "ance"), str(tmp_path / "sbert")
    refused(ance, sbert, "questions have 24 dimensions, passages 12")
    refused(ance, str(tmp_path / "none"), "no such folder")
