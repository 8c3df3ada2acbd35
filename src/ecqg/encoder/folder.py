"""A folder of an encoder: which files it must have, and what these may not ask for."""

from __future__ import annotations

from pathlib import Path

from ecqg.encoder.modules import is_list, modules
from ecqg.errors import InputError
from ecqg.files import read_record

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json")
SETTINGS = ("config.json", "tokenizer_config.json")  # that may name code to run


def check_encoder(folder: Path) -> None:
    """Raise InputError as `model_type` does, for a sentence-transformers folder, too.

    No weights are read, and no library is loaded.
    """
    places = [place for _, place in modules(folder)] if is_list(folder) else [folder]
    for place in places[:1] or [folder]:
        model_type(place)


def model_type(folder: Path) -> str:
    """What config.json says.

    Raises InputError where the folder or a file of it is missing, and where settings name Python
    code to be run in the place of ours. It would not be run. But what the weights are for stands
    there, so that ours computes otherwise.
    """
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="a Hugging Face folder is needed")
    config = _first_of(folder, "config.json")
    _first_of(folder, *TOKENIZERS)
    weights_file(folder)
    for name in SETTINGS:
        for file in sorted([*folder.glob(name), *folder.glob(f"*/{name}")]):
            if "auto_map" in read_record(file):
                what = "auto_map names code of the model's own, and none is run"
                remedy = "give a BERT, RoBERTa or DistilBERT encoder as transformers has it"
                raise InputError(what, file=file, remedy=remedy)
    return str(read_record(config).get("model_type"))


def weights_file(folder: Path) -> Path:
    """The safetensors file, or the index of several. Raises InputError where there is neither."""
    safe = any((folder / name).is_file() for name in (WEIGHTS, INDEX))
    if not safe and (folder / "pytorch_model.bin").is_file():
        raise InputError(
            "has only pytorch_model.bin, a pickle, which can run code when it is read",
            file=folder,
            remedy="write its tensors with safetensors.torch.save_file to model.safetensors "
            "(torch.load with weights_only=True reads them safely)",
        )
    return _first_of(folder, WEIGHTS, INDEX)


def _first_of(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    remedy = "an encoder folder has config.json, model.safetensors and tokenizer.json"
    raise InputError(f"no {' or '.join(names)}", file=folder, remedy=remedy)
