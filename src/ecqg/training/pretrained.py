"""Models and tokenizers as Hugging Face folders: read from safetensors alone, written alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from ecqg.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@contextmanager
def explain(what: str, *, remedy: str, file: Path | None = None) -> Iterator[None]:
    """Raise anything that goes wrong in the block as an InputError: `what`, and the first line."""
    try:
        yield
    except Exception as error:  # safetensors, JSON and shape errors have no common class
        problem = str(error).partition("\n")[0]
        raise InputError(f"{what} ({problem})", file=file, remedy=remedy) from error


def load_model(kind: Any, folder: Path, **options: Any) -> tuple[PreTrainedModel, dict[str, Any]]:
    """A model of that class in fp32 on the CPU, and which of its weights were missing or unknown.

    `options` are those of `from_pretrained`. Raises whatever transformers does where that is not
    possible; it prints nothing.
    """
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()  # its tables of weights, which are the caller's to judge
    model, report = kind.from_pretrained(
        folder,
        use_safetensors=True,
        local_files_only=True,
        dtype=torch.float32,
        output_loading_info=True,
        **options,
    )
    return model, report


def save_model(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """Write a folder that transformers alone can load; the same weights give the same bytes."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    model.config._name_or_path = ""  # where it started is no property of a model
    model.save_pretrained(folder)
    for key in ("is_local", "local_files_only"):  # nor is how it was loaded
        tokenizer.init_kwargs.pop(key, None)
    tokenizer.save_pretrained(folder)
