"""A training of a tiny dual encoder on ten questions, in the current folder."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

import ecqg
from ecqg import paths
from ecqg.corpus.examples import Example
from ecqg.training.weights import save_model
from small_passages import make_passages, write_gold
from tiny_models import tiny_bert

TOGETHER = Path(__file__).parent / "encoder/two_processes.py"
NOUNS = ["river", "town", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship"]

# The same added to all scores of a softmax: the true gradient is 0, Adam's step is noise.
WITHOUT_EFFECT = (
    "attention.self.key.bias",
    "passage_encoder.encoder.layer.1.output.LayerNorm.bias",
)


def write_training(tokenizer: Any, dropout: float = 0.0, **finetune: Any) -> None:
    """params.yaml, gold examples with negatives and a start, for three epochs of `finetune`."""
    tree = YAML(typ="safe").load((files("ecqg.profiles") / "microcosm.yaml").read_text())
    tree["finetune"] |= {"epochs": 3, "lr": 3e-3} | finetune
    tree["encoder"]["dropout"] = dropout
    YAML().dump(tree, Path("params.yaml"))
    examples = [
        Example(str(i), f"old {noun}", (noun,), (i,), ((i - 3) % 10,) * (i % 3 > 0))
        for i, noun in enumerate(NOUNS)
    ]
    write_gold(make_passages(*(("", f"the {noun} flows past") for noun in NOUNS)), examples)
    model = tiny_bert(
        len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        intermediate_size=32,
        max_position_embeddings=256,
        initializer_range=0.4,
    )
    save_model(paths.start(), model, tokenizer)


def python(
    *arguments: str | Path, cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A new process, on the processor, that finds this `ecqg`."""
    own = {"PYTHONPATH": str(Path(ecqg.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **own, "ECQG_DEVICE": "cpu", **variables},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
