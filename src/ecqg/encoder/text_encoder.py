"""One half of any dual encoder: a backbone, a pooling of its last layer, and a head.

| folder | backbone | pooling | head |
|---|---|---|---|
| ours | BERT | [CLS] | none |
| Facebook's DPR | BERT | [CLS] | linear, where projection_dim is above 0 |
| ANCE | RoBERTa | [CLS] | linear and layer norm |
| TAS-B | DistilBERT | [CLS] | none |
| sentence-transformers | any of these | [CLS] or mean | as its modules say |

A sentence-transformers folder (ecqg.encoder.modules) has a Transformer, a Pooling and, after these,
any of Dense, LayerNorm and Normalize. Its length limit is not ours:
encoder.max_passage_tokens and max_question_tokens are. A folder with what we do not compute
(prompts, other poolings) is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.architectures import ARCHITECTURES, cls_vectors, mean_vectors
from ecqg.encoder.folder import model_type
from ecqg.encoder.load import DPR, Tensors, load_backbone
from ecqg.encoder.modules import MODULES, SETTINGS, is_list, modules, read_if_there, settings_of
from ecqg.encoder.tokens import Batch
from ecqg.errors import InputError
from ecqg.files import read_record, write_json
from ecqg.training.weights import save_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Pooling = Literal["cls", "mean"]
POOLINGS = {"cls": cls_vectors, "mean": mean_vectors}
OLD_MODES = {"cls": "cls_token", "mean": "mean_tokens"}  # as before version 6, which reads them
ACTIVATIONS = {"Identity": nn.Identity, "Tanh": nn.Tanh}  # the last part of torch.nn.modules....


class TextEncoder(nn.Module):
    """An encoder of packed token sequences; its backbone is what has attention."""

    def __init__(
        self, backbone: PreTrainedModel, pooling: Pooling = "cls", head: nn.Sequential | None = None
    ) -> None:
        super().__init__()
        self.backbone = backbone
        self.pooling = pooling
        self.head = nn.Sequential() if head is None else head

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""
        sizes = [m.out_features for m in self.head if isinstance(m, nn.Linear)]
        return int(sizes[-1] if sizes else self.backbone.config.hidden_size)

    def check_trainable(self, folder: Path) -> None:
        """Raise InputError where the head, whose weights are not trained here, has any."""
        if next(self.head.parameters(), None) is not None:
            what = "has a head with weights, which is not trained"
            remedy = "start from an encoder whose vectors are [CLS] or means"
            raise InputError(what, file=folder, remedy=remedy)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Vectors, [n, dimensions]."""
        pooled = POOLINGS[self.pooling](self.backbone, batch)
        # The backbone alone may be in bf16.
        return self.head(pooled.float())  # type: ignore[no-any-return]


class Normalize(nn.Module):
    """Vectors of length 1."""

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """[n, dimensions] to the same."""
        return functional.normalize(vectors, dim=-1)


def load_text_encoder(
    folder: Path, *, dropout: float = 0.0
) -> tuple[TextEncoder, PreTrainedTokenizerBase]:
    """Load any encoder of the table above, ours or a public one.

    Which it is stands in the folder: modules.json makes it one of sentence-transformers, the
    model type dpr one of Facebook's, weights called embeddingHead one of ANCE's. Facebook's have
    token type 0 everywhere, as in their training, unless the tokenizer's files name
    token_type_ids among model_input_names. Raises InputError as `load_backbone` does, and for a
    sentence-transformers folder with other modules.
    """
    if is_list(folder):
        return _load_sentence_transformer(folder, dropout)
    kind = model_type(folder)
    tensors = Tensors(folder)
    beside: tuple[str, ...] = ()
    if kind == DPR and read_record(folder / "config.json").get("projection_dim", 0) > 0:
        beside = ("encode_proj.",)
    elif kind == "roberta" and "embeddingHead.weight" in tensors.files:
        beside = ("embeddingHead.", "norm.")
    backbone, tokenizer = load_backbone(
        folder, (*ARCHITECTURES, DPR), dropout=dropout, beside=beside
    )
    hidden = backbone.config.hidden_size
    head = nn.Sequential()
    if kind == DPR and beside:
        half = min(tensors.files).split(".")[0]  # ctx_encoder or question_encoder
        head.append(tensors.linear(f"{half}.encode_proj", hidden))
    elif beside:
        linear = tensors.linear("embeddingHead", hidden)
        head.extend([linear, tensors.norm("norm", linear.out_features)])
    return TextEncoder(backbone, "cls", head), tokenizer


def save_text_encoder(
    folder: Path, encoder: TextEncoder, tokenizer: PreTrainedTokenizerBase
) -> None:
    """Write what `load_text_encoder` reads: a plain Hugging Face folder where vectors are [CLS].

    Else modules.json and a folder for each further module lie beside the backbone. The encoder's
    head has no weights (`TextEncoder.check_trainable`).
    """
    save_model(folder, encoder.backbone, tokenizer)
    if encoder.pooling == "cls" and not len(encoder.head):
        return
    kinds = ["Transformer", "Pooling", *(type(module).__name__ for module in encoder.head)]
    places = ["", *(f"{number}_{kind}" for number, kind in enumerate(kinds[1:], 1))]
    size = {"word_embedding_dimension": encoder.backbone.config.hidden_size}
    pooling = {f"pooling_mode_{name}": mode == encoder.pooling for mode, name in OLD_MODES.items()}
    write_json(folder / places[1] / "config.json", {**size, **pooling})
    listed = [
        {"idx": i, "name": str(i), "path": place, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, place) in enumerate(zip(kinds, places, strict=True))
    ]
    write_json(folder / MODULES, listed)


def _load_sentence_transformer(
    folder: Path, dropout: float
) -> tuple[TextEncoder, PreTrainedTokenizerBase]:
    listed = list(modules(folder))
    kinds = [kind for kind, _ in listed]
    if kinds[:2] != ["Transformer", "Pooling"]:
        what = f"its modules are {', '.join(kinds)}"
        remedy = "they must begin with Transformer and Pooling"
        raise InputError(what, file=folder / MODULES, remedy=remedy)
    _refuse_changes_of_text(folder, listed[0][1])
    backbone, tokenizer = load_backbone(listed[0][1], ARCHITECTURES, dropout=dropout)
    pooling = _pooling(listed[1][1] / "config.json")
    head = nn.Sequential()
    size = int(backbone.config.hidden_size)
    for kind, place in listed[2:]:
        if kind == "Dense":
            dense, activation = _dense(place, size)
            head.extend([dense, activation])
            size = dense.out_features
        elif kind == "LayerNorm":
            head.append(Tensors(place).norm("norm", size))
        elif kind == "Normalize":
            head.append(Normalize())
        else:
            remedy = "only Dense, LayerNorm and Normalize may follow Pooling"
            raise InputError(f"has a module {kind}", file=folder / MODULES, remedy=remedy)
    return TextEncoder(backbone, pooling, head), tokenizer


def _refuse_changes_of_text(folder: Path, transformer: Path) -> None:
    """Raise InputError where texts would be changed before they are tokenized."""
    prompts = settings_of(folder).get("prompts")
    if isinstance(prompts, dict) and any(prompts.values()):
        remedy = "give an encoder of plain texts"
        raise InputError("has prompts", file=folder / SETTINGS, remedy=remedy)
    settings = transformer / "sentence_bert_config.json"
    if read_if_there(settings).get("do_lower_case"):
        remedy = "set it to false where the tokenizer makes letters small by itself"
        raise InputError("do_lower_case is true", file=settings, remedy=remedy)


def _pooling(file: Path) -> Pooling:
    settings = read_if_there(file)
    mode = settings.get("pooling_mode")
    if mode is None:  # as written before version 6
        old = {f"pooling_mode_{name}": mode for mode, name in OLD_MODES.items()}
        on = [k for k, v in settings.items() if k.startswith("pooling_mode_") and v is True]
        mode = old.get(on[0]) if len(on) == 1 else on
    if mode not in tuple(POOLINGS):
        remedy = "only cls and mean can be computed"
        raise InputError(f"the pooling is {mode}", file=file, remedy=remedy)
    return cast(Pooling, mode)


def _dense(folder: Path, inputs: int) -> tuple[nn.Linear, nn.Module]:
    file = folder / "config.json"
    settings = read_if_there(file)
    name = str(settings.get("activation_function", "Tanh")).split(".")[-1]
    vector = "sentence_embedding"
    through = {settings.get(f"module_{end}_name") or vector for end in ("input", "output")}
    if name not in ACTIVATIONS or settings.get("use_residual") or through != {vector}:
        remedy = "it must be linear with Identity or Tanh, from sentence_embedding to the same"
        raise InputError("a Dense of an unknown kind", file=file, remedy=remedy)
    dense = Tensors(folder).linear("linear", inputs, bias=bool(settings.get("bias", True)))
    return dense, ACTIVATIONS[name]()
