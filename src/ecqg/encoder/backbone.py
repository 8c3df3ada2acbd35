"""Starting weights of both encoders: our own, or those that others trained."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ecqg import seeds
from ecqg.consistency import MAX_POSITIONS
from ecqg.encoder.load import load_encoder
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.encoder.selfsupervised import pretrain_encoder
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import Titled
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import InitEncoder, Weights
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.weights import HUB_FILES, find_folder, record_source, save_model
from ecqg.training.wordpiece import train_tokenizer

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase


def make_start(
    output: Path,
    settings: InitEncoder,
    passages: Sequence[Titled],
    questions: Iterable[str],
    *,
    seed: int,
    checkpoint: Checkpoint,
) -> None:
    """Write the Hugging Face folder from which question encoder, passage encoder and reader start.

    `random` learns a vocabulary from `passages` and `questions`, draws weights and pre-trains them
    on the passages, resuming from a `checkpoint` of the same pre-training; the other sources take
    weights as they are, lowest `layers` only. Raises InputError where they cannot be had.
    """
    if settings.source == "random":
        model, tokenizer = random_encoder(settings, passages, questions, seed)
        scratch = checkpoint.beside("tokens")
        tokens = tokenize_on_disk(scratch, tokenizer, passages, MAX_POSITIONS)
        pretrain_encoder(model, tokens, settings.pretraining, seed=seed, checkpoint=checkpoint)
    else:
        model, tokenizer = load_encoder(find_folder(settings.source, settings.name, "init_encoder"))
        if settings.layers is not None:
            have = len(model.encoder.layer)
            if not 1 <= settings.layers <= have:
                what = f"init_encoder.layers is {settings.layers}, the weights have {have}"
                remedy = f"set it to 1 to {have}, or null for all"
                raise InputError(what, file="params.yaml", remedy=remedy)
            model.encoder.layer = model.encoder.layer[: settings.layers]
            model.config.num_hidden_layers = settings.layers
    with atomic(output) as aside:
        save_model(aside, model, tokenizer)
        record_source(aside, settings.source, settings.name, "init_encoder")


def random_encoder(
    settings: InitEncoder, passages: Iterable[Titled], questions: Iterable[str], seed: int
) -> tuple[BertModel, PreTrainedTokenizerBase]:
    """A BERT with random weights, and a tokenizer learned from the texts.

    The weights' scale matters more than anything else here: at BERT's usual 0.02 attention is
    so flat that a model this small learns nothing from a few thousand questions.
    """
    from transformers import BertConfig, BertModel

    assert settings.layers is not None  # see ecqg.consistency
    texts = (part for passage in passages for part in (passage.title, passage.text))
    tokenizer = train_tokenizer(chain(texts, questions), settings.vocabulary)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=settings.hidden,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        intermediate_size=settings.feed_forward,
        max_position_embeddings=MAX_POSITIONS,
        initializer_range=settings.initializer_range,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(seeds.derive(seed, "weights"))
    return BertModel(config, add_pooling_layer=False), tokenizer


def copy_public(output: Path, weights: Weights, section: str) -> None:
    """Write `output`/question_encoder and /passage_encoder, which `weights` name, as our own are.

    They are any that `load_text_encoder` can load; `section` of params.yaml is named in messages.
    Raises InputError where they cannot be had or loaded, or do not give vectors of one size.
    """
    with atomic(output) as aside:
        sizes = []
        for half, name in ((QUESTION, weights.question), (PASSAGE, weights.passage)):
            source = find_folder(weights.source, name, section)
            sizes.append(load_text_encoder(source)[0].dimensions)
            _copy(source, aside / half)
            record_source(aside / half, weights.source, name, section)
        if sizes[0] != sizes[1]:
            what = f"{section}: questions have {sizes[0]} dimensions, passages {sizes[1]}"
            remedy = "name two encoders that were trained together"
            raise InputError(what, file="params.yaml", remedy=remedy)


def _copy(source: Path, target: Path) -> None:
    """The files that a hub folder is loaded from, no others."""
    for file in sorted(source.rglob("*")):
        place = file.relative_to(source)
        hidden = any(part.startswith(".") for part in place.parts)
        if file.is_file() and not hidden and any(fnmatch(file.name, p) for p in HUB_FILES):
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target / place)
