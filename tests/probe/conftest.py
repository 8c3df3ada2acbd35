"""A tiny public encoder, and passages in its words."""

from __future__ import annotations

from pathlib import Path

import pytest

import public_encoders as public


@pytest.fixture(scope="session")
def mean_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder that pools by the mean; passages of up to 60 tokens."""
    folder = tmp_path_factory.mktemp("models") / "mean"
    folder.mkdir()
    public.make_sentence_transformer(folder, "bert", "mean")
    return folder


@pytest.fixture(scope="session")
def cls_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "cls"
    public.make_plain(folder, "distilbert")
    return folder
