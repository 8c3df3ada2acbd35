"""The reader: a BERT-type encoder with start and end heads, a Hugging Face folder on disk.

The question-answering models of transformers (Devlin et al. 2019, sec. 4.3) are used as they are,
so that a saved reader needs nothing of this package to be loaded; what this package adds at
inference (lengths, overlap marks, calibration) lies beside the weights as JSON.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from ecqg.errors import InputError
from ecqg.files import read_as, write_json
from ecqg.params import Precision
from ecqg.reading.calibrate import Calibration
from ecqg.reading.neighbours import write_neighbour_heads
from ecqg.reading.windows import CONTEXT, CONTEXT_MATCH, QUESTION, QUESTION_MATCH, TYPES, Lengths
from ecqg.training.weights import explain, load_model, save_model

SETTINGS, CALIBRATION = "reader.json", "calibration.json"
HEADS = "qa_outputs."


@dataclass(frozen=True)
class Settings:
    """What the reader needs at inference beside its weights."""

    lengths: Lengths
    max_answer_tokens: int
    precision: Precision
    mark_overlap: bool


@dataclass(frozen=True)
class Reader:
    """A model (eval mode, fp32 weights), its fast tokenizer and its settings."""

    model: Any
    tokenizer: Any
    settings: Settings

    def on(self, device: torch.device) -> Any:
        """The model, moved to `device`.

        On a CPU plain attention takes the place of the fused one, whose backward pass in bf16
        takes longer than all the rest of a layer.
        """
        self.model.set_attn_implementation("eager" if device.type == "cpu" else "sdpa")
        return self.model.to(device)


def start(
    source: Path, settings: Settings, layers: int | None, neighbour_heads: Sequence[int] = ()
) -> Reader:
    """A reader that starts from a folder; heads that it lacks are random.

    `layers` keeps so many of the lowest, and adds random ones on top where the source has fewer:
    a tiny retrieval encoder may have one, too few to relate question and context. With overlap
    marks, the new token types start as copies of BERT's two segments.
    `neighbour_heads` are offsets of tokens that the first heads of every layer attend to from the
    start (`ecqg.reading.neighbours`). Randomness is torch's global generator. Raises InputError
    where `source` is no BERT-type model, or is too short for the settings.
    """
    from transformers import AutoModelForQuestionAnswering

    tokenizer, model = _tokenizer(source), _model(source, heads=False)
    config = model.config
    if not hasattr(config, "type_vocab_size"):
        remedy = "the reader needs a BERT-type model"
        raise InputError(f"{source} has no token types", remedy=remedy)
    most, limit = settings.lengths.max_tokens, config.max_position_embeddings
    if most > limit:
        what = f"reader: max_tokens {most} is more than the {limit} positions of {source}"
        raise InputError(what, remedy="lower max_tokens in reader.phases")
    changed = copy.deepcopy(config)
    changed.num_hidden_layers = layers or config.num_hidden_layers
    changed.type_vocab_size = max(TYPES if settings.mark_overlap else 2, config.type_vocab_size)
    if changed.to_dict() != config.to_dict():
        target = AutoModelForQuestionAnswering.from_config(changed)
        take_over(target, model.state_dict())
        model = target
    if neighbour_heads:
        write_neighbour_heads(model, neighbour_heads)
    return Reader(model.eval(), tokenizer, settings)


@torch.no_grad()
def take_over(model: Any, old: Mapping[str, torch.Tensor]) -> None:
    """Copy the weights of an encoder into one of another depth, or with more token types.

    Layers that `old` lacks stay as they are; new token types start as copies of BERT's two.
    """
    likeness = {CONTEXT_MATCH: CONTEXT, QUESTION_MATCH: QUESTION}
    for name, tensor in model.state_dict().items():
        if name.endswith("token_type_embeddings.weight"):
            last = len(old[name]) - 1
            rows = [t if t <= last else min(likeness.get(t, t), last) for t in range(len(tensor))]
            tensor.copy_(old[name][rows])
        elif name in old:
            tensor.copy_(old[name])


def save(reader: Reader, calibration: Calibration, folder: Path) -> None:
    """Write weights (safetensors), configuration, tokenizer, settings and calibration."""
    save_model(folder, reader.model, reader.tokenizer)
    write_json(folder / SETTINGS, asdict(reader.settings))
    write_json(folder / CALIBRATION, asdict(calibration))


def load(folder: Path) -> tuple[Reader, Calibration]:
    """Read what `save` wrote. Raises InputError where it is not there, or other files are."""
    remedy = "run 'ecqg train-reader'"
    if not (folder / SETTINGS).is_file():
        raise InputError("no reader", file=folder, remedy=remedy)
    settings = read_as(folder / SETTINGS, Settings, "no reader's settings")
    reader = Reader(_model(folder, heads=True).eval(), _tokenizer(folder), settings)
    return reader, read_as(folder / CALIBRATION, Calibration, "no calibration", remedy)


def _model(source: Path, *, heads: bool) -> Any:
    """A question-answering model; every weight must be there, `heads` says if those of the heads.

    Raises InputError where there is no such model or a weight is missing.
    """
    from transformers import AutoModelForQuestionAnswering

    wanted, remedy = (
        ("reader", "train it with 'ecqg train-reader'")
        if heads
        else ("encoder to start from", "name a BERT-type model in reader.name")
    )
    with explain(f"{source} is no {wanted}", remedy=remedy):
        model, report = load_model(AutoModelForQuestionAnswering, source)
        missing = sorted(k for k in report["missing_keys"] if heads or not k.startswith(HEADS))
        if missing:
            raise ValueError(f"weight {missing[0]} is missing")
    return model


def _tokenizer(source: Path) -> Any:
    from transformers import AutoTokenizer

    remedy = "name a Hugging Face folder that holds tokenizer.json"
    with explain(f"{source} has no tokenizer", remedy=remedy):
        tokenizer = AutoTokenizer.from_pretrained(source)
    if not tokenizer.is_fast or tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        remedy = "the reader needs a fast tokenizer with [CLS] and [SEP]"
        raise InputError(f"the tokenizer of {source} is not of BERT's type", remedy=remedy)
    return tokenizer
