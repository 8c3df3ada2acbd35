"""Pre-trained generators: from a folder, an installed package or a model hub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ecqg.errors import InputError
from ecqg.questions.model import load_parts
from ecqg.training.weights import Source, find_file, find_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

SECTION = "init_generator"


def load_pretrained(source: Source, name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model and tokenizer of a source, in fp32. Packages carry generators as GGUF.

    Raises InputError as ecqg.training.weights does, and where a folder holds no generator.
    """
    if source == "package":
        return load_gguf(find_file(name, SECTION))
    return load_parts(find_folder(source, name, SECTION))


def load_gguf(path: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A GGUF file's weights, dequantised to fp32, and its tokenizer.

    transformers' own `from_pretrained(gguf_file=...)` asks for a further package (accelerate)
    that it does not need for this.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    config = AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    with torch.device("meta"):
        names = AutoModelForCausalLM.from_config(config)
    tensors = load_gguf_checkpoint(str(path), return_tensors=True, model_to_load=names)["tensors"]
    model, report = type(names).from_pretrained(
        None, config=config, state_dict=tensors, dtype=torch.float32, output_loading_info=True
    )
    if report["missing_keys"] or report["unexpected_keys"]:
        raise InputError("holds other weights", file=path, remedy="use another GGUF file")
    return model, AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
