"""What is imported before a stage does its own work: nothing heavy that it does not need."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from ecqg.corpus import spacy_model
from ecqg.corpus.sentences import split_sentences

STAGES = Path(__file__).parents[2] / "src/ecqg/stages"
# fmt: off
WITH_MODELS = [
    "attention", "encode", "entity_attention", "entity_questions", "entity_scores", "examples",
    "finetune", "generate", "heatmap", "init_encoder", "init_generator", "overlap", "pretrain",
    "public", "read", "rerank", "retrieve", "score", "train_generator", "train_reader",
    "train_reranker",
]
# fmt: on
HEAVY = {"torch", "transformers", "spacy", "sklearn", "pandas", "matplotlib", "faiss", "pyserini"}


def imported_by(*modules: str) -> set[str]:
    code = "import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]"
    command = [sys.executable, "-c", f"{code}; print(*sys.modules)", *modules]
    return set(subprocess.run(command, text=True, capture_output=True, check=True).stdout.split())


def test_stages_without_models_import_nothing_heavy() -> None:
    names = sorted({p.stem for p in STAGES.glob("[a-z]*.py")} - set(WITH_MODELS))
    assert len(names) > 20
    found = imported_by("ecqg.cli", "ecqg.params", *(f"ecqg.stages.{n}" for n in names))
    assert not found & HEAVY
    assert "numpy" in found


@pytest.mark.slow
def test_stages_with_models_import_transformers_when_they_use_it() -> None:
    found = imported_by(*(f"ecqg.stages.{n}" for n in WITH_MODELS))
    assert "torch" in found
    assert not found & {"transformers", "spacy", "sklearn", "pandas", "pyserini"}


def test_the_command_line_waits_with_numpy() -> None:
    assert not imported_by("ecqg.cli") & {*HEAVY, "numpy", "pyarrow", "scipy", "ruamel.yaml"}


@pytest.mark.slow
def test_spacy_comes_without_torch_and_finds_the_same_sentences() -> None:
    texts = ["Dr. Moor of St. Mary built it. It burned down in 1702.", "One by the U.S. Navy. Two."]
    code = (
        "import sys; from ecqg.corpus.sentences import split_sentences; "
        "from ecqg.corpus.words import stop_words; "
        "found = list(split_sentences(sys.argv[1:])), 'the' in stop_words(); "
        "print(*found, 'torch' in sys.modules); import torch; print(torch.ones(2).sum().item())"
    )
    command = [sys.executable, "-c", code, *texts]
    said = subprocess.run(command, text=True, capture_output=True, check=True).stdout
    import torch  # noqa: F401  # here it is imported first

    assert said == f"{list(split_sentences(texts))} True False\n2.0\n"


@pytest.mark.slow
def test_entities_are_recognised_without_torch() -> None:
    code = (
        "import sys; from ecqg.attention.ner import _recognise_block;"
        "types = frozenset(['PERSON']);"
        "print(_recognise_block(['We met Barack Obama.'], 'en_core_web_sm', types),"
        "'torch' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "[[(7, 19, 'PERSON')]] False"


def test_pipelines_with_transformers_may_have_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    required = {"en_core_web_trf": ["spacy-curated-transformers<0.3"], "en_core_web_md": None}
    monkeypatch.setattr(importlib.metadata, "requires", required.__getitem__)
    assert spacy_model._wants_torch("en_core_web_trf")
    assert not spacy_model._wants_torch("en_core_web_md")
    monkeypatch.undo()
    assert not spacy_model._wants_torch("no_such_pipeline")
