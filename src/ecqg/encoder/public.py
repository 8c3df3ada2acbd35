"""A dual encoder that others trained: two folders side by side, as our own retrievers are."""

from __future__ import annotations

import shutil
from fnmatch import fnmatch
from pathlib import Path

from ecqg.encoder.load import load_text_encoder
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Weights
from ecqg.training.weights import HUB_FILES, find_folder, record_source


def copy_public(output: Path, weights: Weights, section: str) -> None:
    """Write `output`/question_encoder and /passage_encoder, which `weights` name.

    They are any that `load_text_encoder` can load; `section` of params.yaml is named in messages.
    Raises InputError where they cannot be had or loaded, or do not give vectors of one size.
    """
    with atomic(output) as aside:
        sizes = {}
        for half, name in ((QUESTION, weights.question), (PASSAGE, weights.passage)):
            source = find_folder(weights.source, name, section)
            sizes[half] = load_text_encoder(source)[0].dimensions
            _copy(source, aside / half)
            record_source(aside / half, weights.source, name, section)
        if len(set(sizes.values())) > 1:
            raise InputError(
                f"{section}: questions have {sizes[QUESTION]} dimensions, passages "
                f"{sizes[PASSAGE]}",
                file="params.yaml",
                remedy="name two encoders that were trained together",
            )


def _copy(source: Path, target: Path) -> None:
    """The files that a hub folder is loaded from, no others."""
    for file in sorted(source.rglob("*")):
        place = file.relative_to(source)
        hidden = any(part.startswith(".") for part in place.parts)
        if file.is_file() and not hidden and any(fnmatch(file.name, p) for p in HUB_FILES):
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target / place)
