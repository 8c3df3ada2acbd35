"""Generators as Hugging Face folders: config.json, model.safetensors and a fast tokenizer.

Pre-trained ones come from such a folder, an installed package or a model hub.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ecqg.errors import InputError
from ecqg.params import Precision
from ecqg.questions.causal import Causal
from ecqg.questions.generator import Generator
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.training.device import pick_device
from ecqg.training.weights import Source, explain, find_file, find_folder, load_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

SECTION = "init_generator"


def load_generator(
    folder: str | Path,
    max_source_tokens: int,
    max_target_tokens: int,
    precision: Precision,
    *,
    training: bool = False,
) -> Generator:
    """Load a Hugging Face folder, encoder-decoder or causal by its configuration, on the device.

    `training` says what for: it chooses the faster attention, not what is computed.
    Raises InputError as `load_parts`, and where the model has fewer positions than asked for.
    """
    device = pick_device()
    model, tokenizer = load_parts(folder)
    # On a CPU, PyTorch's fused attention is the slower one to train (measured: 0.16 s a step
    # against 0.11 s for the default's sizes in bf16), but the faster one to sample with.
    model.set_attn_implementation("eager" if training and device.type == "cpu" else "sdpa")
    config, lengths = model.config, (max_source_tokens, max_target_tokens)
    needed = max(lengths) if config.is_encoder_decoder else sum(lengths)
    room = getattr(config, "max_position_embeddings", needed)
    if needed > room:
        remedy = "lower generator.max_source_tokens or generator.max_target_tokens"
        what = f"has {room} positions, {needed} are asked for"
        raise InputError(what, file=folder, remedy=remedy)
    build = Seq2Seq if config.is_encoder_decoder else Causal
    return build(model.to(device), tokenizer, *lengths, precision)


def load_parts(folder: str | Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model (in fp32, on the CPU) and tokenizer of a Hugging Face folder with safetensors.

    Raises InputError where the folder is missing, incomplete or no text generator.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    folder, remedy = Path(folder), "give a Hugging Face folder with safetensors"
    for name in ("config.json", "tokenizer_config.json"):
        if not (folder / name).is_file():
            raise InputError(f"no {name}", file=folder, remedy=remedy)
    remedy += " and a tokenizer"
    with explain("cannot be loaded as a generator", file=folder, remedy=remedy):
        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        model, report = load_model(kind, folder)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token  # GPT-type: has none
    if report["missing_keys"]:
        what = f"lacks weight {min(report['missing_keys'])}"
        raise InputError(what, file=folder / "model.safetensors", remedy="give complete weights")
    return model, tokenizer


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
