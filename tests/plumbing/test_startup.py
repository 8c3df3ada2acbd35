"""What is imported before a stage does its own work: nothing heavy that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STAGES = Path(__file__).parents[2] / "src/ecqg/stages"
# fmt: off
WITH_MODELS = [
    "attend", "attention", "baseline", "encode", "encoder_start", "entity_questions",
    "entity_scores", "examples", "finetune", "finetune_aug", "generate",
    "generate_answer_sentence", "generator_start", "heatmap", "overlap", "pretrain",
    "pretrain_aug", "read", "rerank", "retrieve", "score", "supervised_finetune",
    "train_generator", "train_reader", "train_reranker",
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


def test_stages_with_models_import_transformers_when_they_use_it() -> None:
    found = imported_by(*(f"ecqg.stages.{n}" for n in WITH_MODELS))
    assert "torch" in found
    assert not found & {"transformers", "spacy", "sklearn", "pandas", "pyserini"}


def test_the_command_line_waits_with_numpy() -> None:
    assert not imported_by("ecqg.cli") & {*HEAVY, "numpy", "pyarrow", "scipy", "ruamel.yaml"}
