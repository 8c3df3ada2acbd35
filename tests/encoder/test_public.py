"""The stage public: any dual encoder that others trained, side by side as ours are."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from ecqg import paths
from ecqg.encoder.encode import Encoding
from ecqg.encoder.score import score_pairs
from ecqg.errors import InputError
from ecqg.params import Weights, load_params
from ecqg.stages import public
from public_encoders import MAKERS, make_ance, make_dpr, make_plain, make_sentence_transformer
from small_passages import make_passages

PASSAGES = make_passages(("mill", "the river flows past"), ("", "the old king"))
QUESTIONS = ["what flows past", "who is old", "which river"]


@pytest.fixture
def fetch(tmp_path, monkeypatch):
    """A function that fetches the encoders of two folders and returns where they lie."""
    whole = load_params(str(files("ecqg.profiles") / "microcosm.yaml"))
    monkeypatch.chdir(tmp_path)

    def run(question, passage):
        weights = Weights("folder", question, passage)
        public.run(replace(whole, public={"other": weights}), "other")
        return paths.start("other")

    return run


@pytest.mark.parametrize("kind", MAKERS)
def test_scores_are_dot_products_of_the_public_encoders_vectors(
    kind, tmp_path, fetch, encoder_settings
):
    MAKERS[kind](tmp_path / "public")
    (tmp_path / "public" / "pytorch_model.bin").write_bytes(b"not needed")
    (tmp_path / "public" / ".git").mkdir()
    (tmp_path / "public" / ".git" / "config.json").write_text("{}")
    fetched = fetch("public", "public")
    assert not [p for p in fetched.rglob("*") if "bin" in p.name or "git" in p.name]
    rows = [0, 1, 0]
    scores = score_pairs(fetched, QUESTIONS, rows, PASSAGES, encoder_settings)
    q = Encoding(tmp_path / "public", encoder_settings).questions(QUESTIONS)
    p = Encoding(tmp_path / "public", encoder_settings).passages(PASSAGES)
    want = (q * p[rows]).sum(1) * q.shape[1] ** -0.5
    np.testing.assert_allclose(scores, want, rtol=1e-5, atol=1e-6)


def test_two_encoders_are_kept_apart(tmp_path, fetch, encoder_settings):
    make_dpr(tmp_path / "q", "Question", 0)
    make_plain(tmp_path / "p", "bert")
    fetched = fetch("q", "p")
    for half, source in (("question_encoder", "q"), ("passage_encoder", "p")):
        got = Encoding(fetched / half, encoder_settings).questions(QUESTIONS)
        want = Encoding(tmp_path / source, encoder_settings).questions(QUESTIONS)
        assert np.array_equal(got, want)


def test_what_is_no_dual_encoder_is_one_line_and_writes_nothing(tmp_path, fetch):
    make_ance(tmp_path / "ance")  # 24 dimensions
    make_sentence_transformer(tmp_path / "sbert", "bert", "mean")  # 12

    def refused(question, passage, match):
        with pytest.raises(InputError, match=match):
            fetch(question, passage)
        assert not paths.start("other").exists()

    refused("ance", "sbert", r"public\.other: questions have 24 dimensions, passages 12")
    refused("ance", "none", "no such folder")
