"""Reading a sentence-transformers folder: a list of modules, each with a folder of its own.

The modules are a Transformer, a Pooling ([CLS] or mean) and, after these, any of Dense, LayerNorm
and Normalize. Its length limit is not ours: encoder.max_passage_tokens and max_question_tokens
are. A folder with what we do not compute (prompts, other poolings) is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from torch import nn

from ecqg.encoder.architectures import ARCHITECTURES
from ecqg.encoder.checkpoint import load_backbone
from ecqg.encoder.tensors import Tensors
from ecqg.encoder.text_encoder import POOLINGS, Normalize, Pooling, TextEncoder
from ecqg.errors import InputError
from ecqg.files import read_as, read_record

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

MODULES = "modules.json"
ACTIVATIONS = {"Identity": nn.Identity, "Tanh": nn.Tanh}  # the last part of torch.nn.modules....


class _Module(Struct):
    type: str
    path: str


def load_sentence_transformer(folder: Path) -> tuple[TextEncoder, PreTrainedTokenizerBase]:
    """Raises InputError where the folder is not as described above, naming file and remedy."""
    modules = list(_modules(folder))
    if [kind for kind, _ in modules[:2]] != ["Transformer", "Pooling"]:
        raise InputError(
            f"its modules are {', '.join(kind for kind, _ in modules)}",
            file=folder / MODULES,
            remedy="they must begin with Transformer and Pooling",
        )
    _refuse_changes_of_text(folder, modules[0][1])
    backbone, tokenizer = load_backbone(modules[0][1], ARCHITECTURES, dropout=0.0)
    pooling = _pooling(modules[1][1] / "config.json")
    head = nn.Sequential()
    size = int(backbone.config.hidden_size)
    for kind, place in modules[2:]:
        if kind == "Dense":
            dense, activation = _dense(place, size)
            head.extend([dense, activation])
            size = dense.out_features
        elif kind == "LayerNorm":
            head.append(Tensors(place).norm("norm", size))
        elif kind == "Normalize":
            head.append(Normalize())
        else:
            raise InputError(
                f"has a module {kind}",
                file=folder / MODULES,
                remedy="only Dense, LayerNorm and Normalize may follow Pooling",
            )
    return TextEncoder(backbone, pooling, head), tokenizer


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """The last part of each module's type, and its folder."""
    remedy = "it must list modules, each with a type and a path below the folder"
    for module in read_as(folder / MODULES, list[_Module], "no list of modules", remedy):
        if ".." in Path(module.path).parts:
            raise InputError(f"the path {module.path}", file=folder / MODULES, remedy=remedy)
        yield module.type.split(".")[-1], folder / module.path.lstrip("/")


def _refuse_changes_of_text(folder: Path, transformer: Path) -> None:
    """Raise InputError where texts would be changed before they are tokenized."""
    settings = _read(folder / "config_sentence_transformers.json")
    if any((settings.get("prompts") or {}).values()):
        raise InputError(
            "has prompts",
            file=folder / "config_sentence_transformers.json",
            remedy="give an encoder of plain texts",
        )
    if _read(transformer / "sentence_bert_config.json").get("do_lower_case"):
        raise InputError(
            "do_lower_case is true",
            file=transformer / "sentence_bert_config.json",
            remedy="set it to false where the tokenizer makes letters small by itself",
        )


def _pooling(file: Path) -> Pooling:
    settings = _read(file)
    mode = settings.get("pooling_mode")
    if mode is None:  # as written before version 6
        old = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean"}
        on = [k for k, v in settings.items() if k.startswith("pooling_mode_") and v is True]
        mode = old.get(on[0]) if len(on) == 1 else on
    if mode not in tuple(POOLINGS):
        raise InputError(
            f"the pooling is {mode}", file=file, remedy="only cls and mean can be computed"
        )
    return cast(Pooling, mode)


def _dense(folder: Path, inputs: int) -> tuple[nn.Linear, nn.Module]:
    file = folder / "config.json"
    settings = _read(file)
    name = str(settings.get("activation_function", "Tanh")).split(".")[-1]
    vector = "sentence_embedding"
    through = {settings.get(f"module_{end}_name") or vector for end in ("input", "output")}
    if name not in ACTIVATIONS or settings.get("use_residual") or through != {vector}:
        raise InputError(
            "a Dense of an unknown kind",
            file=file,
            remedy="it must be linear with Identity or Tanh, from sentence_embedding to the same",
        )
    dense = Tensors(folder).linear("linear", inputs, bias=bool(settings.get("bias", True)))
    return dense, ACTIVATIONS[name]()


def _read(file: Path) -> dict[str, Any]:
    """A JSON object; empty where the file is not there."""
    return read_record(file) if file.is_file() else {}
