"""The reader: a BERT-type encoder with start and end heads, a Hugging Face folder on disk.

The question-answering models of transformers (Devlin et al. 2019, sec. 4.3) are used as they are,
so that a saved reader needs nothing of this package to be loaded; what this package adds at
inference (lengths, overlap marks, calibration) lies beside the weights as JSON.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError

from ecqg.errors import InputError
from ecqg.files import read_json, write_json
from ecqg.params import Precision
from ecqg.reading.calibrate import Calibration
from ecqg.reading.neighbours import write_neighbour_heads
from ecqg.reading.windows import (
    CONTEXT,
    CONTEXT_MATCH,
    QUESTION,
    QUESTION_MATCH,
    TYPES,
    Lengths,
)

SETTINGS = "reader.json"
HEADS = "qa_outputs."
LAYER = ".layer."


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
    source: str | Path, settings: Settings, layers: int | None, neighbour_heads: Sequence[int] = ()
) -> Reader:
    """A reader that starts from a folder or a hub model; heads that it lacks are random.

    With `layers` the lowest ones are kept, and further ones, random, come on top of what the
    source has: a tiny retrieval encoder may have one layer, too few to relate question and
    context. With overlap marks, the new token types start as copies of BERT's two segments.
    `neighbour_heads` are offsets of tokens that the first heads of every layer attend to from the
    start (`ecqg.reading.neighbours`). Randomness is torch's global generator. Raises InputError
    where `source` is no BERT-type model, or is too short for the settings.
    """
    tokenizer, model = _tokenizer(source), _model(source, heads=False)
    config = model.config
    if not hasattr(config, "type_vocab_size"):
        raise InputError(
            f"{source} has no token types", remedy="the reader needs a BERT-type model"
        )
    if settings.lengths.max_tokens > config.max_position_embeddings:
        raise InputError(
            f"reader: max_tokens {settings.lengths.max_tokens} is more than the "
            f"{config.max_position_embeddings} positions of {source}",
            remedy="lower max_tokens in reader.phases",
        )
    changed = copy.deepcopy(config)
    changed.num_hidden_layers = layers or config.num_hidden_layers
    changed.type_vocab_size = max(TYPES if settings.mark_overlap else 2, config.type_vocab_size)
    if changed.to_dict() != config.to_dict():
        model = _rebuilt(model, changed)
    if neighbour_heads:
        write_neighbour_heads(model, neighbour_heads)
    return Reader(model.eval(), tokenizer, settings)


def _rebuilt(source: Any, config: Any) -> Any:
    """A model of another depth or with more token types that takes over what it can."""
    from transformers import AutoModelForQuestionAnswering

    target = AutoModelForQuestionAnswering.from_config(config)
    old = source.state_dict()
    for name, tensor in target.state_dict().items():
        if name.endswith("token_type_embeddings.weight"):
            kept = len(old[name])
            likeness = {CONTEXT_MATCH: CONTEXT, QUESTION_MATCH: QUESTION}
            rows = [
                t if t < kept else min(likeness.get(t, t), kept - 1) for t in range(len(tensor))
            ]
            tensor.copy_(old[name][rows])
        elif name in old or LAYER not in name:
            tensor.copy_(old[name])
    return target


def save(reader: Reader, calibration: Calibration, folder: Path) -> None:
    """Write weights (safetensors), configuration, tokenizer, settings and calibration."""
    reader.model.config._name_or_path = ""  # where the start lay is no property of the reader
    reader.model.save_pretrained(folder)
    reader.tokenizer.save_pretrained(folder)
    write_json(folder / SETTINGS, asdict(reader.settings))
    calibration.save(folder)


def load(folder: str | Path) -> tuple[Reader, Calibration]:
    """Read what `save` wrote. Raises InputError where it is not there."""
    folder = Path(folder)
    if not (folder / SETTINGS).is_file():
        raise InputError("no reader", file=folder, remedy="train one with 'ecqg train-reader'")
    record = read_json(folder / SETTINGS)
    settings = Settings(**{**record, "lengths": Lengths(**record["lengths"])})
    model = _model(folder, heads=True)
    return Reader(model.eval(), _tokenizer(folder), settings), Calibration.load(folder)


def _model(source: str | Path, *, heads: bool) -> Any:
    """A question-answering model; every weight must be there, `heads` says if those of the heads.

    Raises InputError where there is no such model or a weight is missing.
    """
    from transformers import AutoModelForQuestionAnswering
    from transformers.utils import logging

    logging.disable_progress_bar()
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # missing heads are what we expect; the rest is checked below
    try:
        model, report = AutoModelForQuestionAnswering.from_pretrained(
            str(source), use_safetensors=True, dtype=torch.float32, output_loading_info=True
        )
        missing = sorted(k for k in report["missing_keys"] if heads or not k.startswith(HEADS))
        problem = f"weight {missing[0]} is missing" if missing else ""
    except (OSError, ValueError, SafetensorError) as error:
        problem = str(error).splitlines()[0]
    finally:
        logging.set_verbosity(verbosity)
    if problem:
        wanted, remedy = (
            ("reader", "train it with 'ecqg train-reader'")
            if heads
            else ("encoder to start from", "name a BERT-type model in reader.name")
        )
        raise InputError(f"{source} is no {wanted} ({problem})", remedy=remedy)
    return model


def _tokenizer(source: str | Path) -> Any:
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(source))
    except (OSError, ValueError, json.JSONDecodeError) as error:
        raise InputError(
            f"{source} has no tokenizer ({str(error).splitlines()[0]})",
            remedy="name a Hugging Face folder that holds tokenizer.json",
        ) from None
    if not tokenizer.is_fast or tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        raise InputError(
            f"the tokenizer of {source} is not of BERT's type",
            remedy="the reader needs a fast tokenizer with [CLS] and [SEP]",
        )
    return tokenizer
