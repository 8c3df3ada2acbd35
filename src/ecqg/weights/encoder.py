"""A small BERT that has read other worlds: passages, and the questions about them as further texts.

Two losses on each text, half of them passages and half questions, never together:

- masked language model (Devlin et al. 2019, sec. 3.1): 15 % of the pieces, of which 80 % are
  masked, 10 % random and 10 % as they were;
- bag of words: [CLS] predicts the distinct pieces of the text, the masked ones, too, weighted by
  inverse document frequency, as in `ecqg.encoder.selfsupervised`. BERT's own second task, which
  sentence comes next, teaches [CLS] little (Liu et al. 2019, sec. 4.2).

No text is ever matched with another: retrieval is for the study to teach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, gelu

from ecqg import seeds
from ecqg.consistency import MAX_POSITIONS
from ecqg.corpus.passages import Passage
from ecqg.encoder.architectures import below_last, whole_layer
from ecqg.encoder.backbone import random_encoder
from ecqg.encoder.selfsupervised import (
    bag_of_words_loss,
    distinct_pieces,
    inverse_document_frequency,
)
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import Batch, Titled
from ecqg.params import InitEncoder, Precision
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import autocast, pick_device
from ecqg.training.loop import Plan, fit

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

Ints = np.ndarray[Any, np.dtype[np.int64]]
MASKED = 0.15
TOKENIZER_PASSAGES = 20_000


class Untitled(NamedTuple):
    """A question as a text of its own."""

    text: str
    title: str = ""


class Heads(nn.Module):
    """What only pre-training needs: BERT's masked-language-model head, and the bag of words."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        hidden, vocabulary = model.config.hidden_size, model.config.vocab_size
        self.transform = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.bag = nn.Linear(hidden, vocabulary)


def pretrain(
    settings: InitEncoder,
    passages: Sequence[Passage],
    questions: Sequence[str],
    *,
    precision: Precision,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> tuple[BertModel, PreTrainedTokenizerBase]:
    """An encoder of these sizes, trained on the texts."""
    rng = seeds.python_rng(seed, "tokenizer")
    sample = rng.sample(list(passages), min(TOKENIZER_PASSAGES, len(passages)))
    model, tokenizer = random_encoder(settings, sample, questions, seed)
    checkpoint = checkpoint or Checkpoint()
    texts: list[Titled] = [*passages, *map(Untitled, questions)]
    tokens = tokenize_on_disk(checkpoint.beside("tokens"), tokenizer, texts, MAX_POSITIONS)
    device, own = pick_device(), settings.pretraining
    torch.manual_seed(seeds.derive(seed, "head"))
    heads, vocabulary = Heads(model).to(device), model.config.vocab_size
    model.to(device)
    trained = nn.ModuleList([model, heads])
    weights = torch.from_numpy(inverse_document_frequency(tokens, vocabulary)).to(device)

    def batches(epoch: int) -> Iterator[Batch]:
        rng = seeds.numpy_rng(seed, "texts", epoch)
        for rows in _rows(len(passages), len(texts), own.batch_size, rng):
            yield tokens.batch(rows)

    def gradients(step: int, batch: Batch) -> tuple[torch.Tensor, int]:
        pieces = distinct_pieces(batch, vocabulary).to(device)
        read, wanted = mask_pieces(batch, tokenizer, seeds.numpy_rng(seed, "mask", step))
        read = read.to(device)
        with autocast(device, precision):
            states, last = below_last(model, read)
            states = whole_layer(last, states, read)  # of all tokens, packed [t, hidden]
            loss = bag_of_words_loss(heads.bag(states[batch.starts]).float(), pieces, weights)
            hidden = heads.norm(gelu(heads.transform(states[wanted])))
            logits = hidden @ model.embeddings.word_embeddings.weight.T + heads.bias
            loss = loss + cross_entropy(logits.float(), batch.ids[wanted].to(device))
        loss.backward()  # type: ignore[no-untyped-call]
        return loss, 1

    steps = -(-len(passages) // own.batch_size)
    plan = Plan("encoder", own.epochs, steps, own.lr, "lr", "batch_size", warmup_fraction=0.02)
    fit(trained, batches, gradients, plan, checkpoint=checkpoint)
    return model, tokenizer


def _rows(passages: int, texts: int, size: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Batches of `size` passages, or of as many questions, in turn; every passage once."""
    order = rng.permutation(passages)
    others = rng.permutation(texts - passages) + passages
    for begin in range(0, passages, size):
        half = order[begin : begin + size]
        yield np.concatenate([half, np.resize(np.roll(others, -begin), len(half))])


def mask_pieces(
    batch: Batch, tokenizer: PreTrainedTokenizerBase, rng: np.random.Generator
) -> tuple[Batch, torch.Tensor]:
    """The batch as the model reads it, and which of its tokens [t] it is to predict."""
    ids = batch.ids.numpy()
    wanted = (rng.random(len(ids)) < MASKED) & ~np.isin(ids, tokenizer.all_special_ids)
    how = rng.random(len(ids))
    read = np.where(wanted & (how < 0.8), tokenizer.mask_token_id, ids)
    other = rng.integers(0, len(tokenizer), len(ids))
    read = np.where(wanted & (how >= 0.9), other, read)
    changed = Batch(**{**vars(batch), "ids": torch.from_numpy(read)})
    return changed, torch.from_numpy(wanted)
