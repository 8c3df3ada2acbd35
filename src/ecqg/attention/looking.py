"""Where an encoder looks when it makes a passage's vector, and that vector, in one pass.

An encoder that pools by [CLS] looks where [CLS] of the last layer does (SIGIR sec. 2.1). One that
pools by the mean has no single query: its vector is the mean of all tokens' outputs, so its
attention is the mean over all tokens as queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.attention.passage_attention import BATCH_TOKENS, BLOCK_PASSAGES
from ecqg.attention.tokens import TokenAttention, locate
from ecqg.corpus.passages import Passage
from ecqg.encoder.architectures import (
    Layer,
    attend_first,
    below_last,
    first_scores,
    pad,
    whole_layer,
)
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.encoder.tokens import PADDING, Batch, Spans, Tokens, tokenize_and_locate
from ecqg.errors import InputError
from ecqg.processes import in_threads, processors
from ecqg.shards import map_batches
from ecqg.training.batches import by_budget
from ecqg.training.device import explain_out_of_memory

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


class Looked(NamedTuple):
    """What an encoder makes of a passage."""

    attention: TokenAttention
    vector: NDArray[np.float32]  # [dimensions]


def look_at(
    encoder: TextEncoder,
    tokenizer: PreTrainedTokenizerBase,
    passages: Sequence[Passage],
    max_tokens: int,
    what: str,
) -> Iterator[Looked]:
    """What the encoder makes of each passage, in order; `what` names the progress bar.

    The encoder is in eval mode and on its device; passages are cut to `max_tokens`. Raises
    InputError where memory does not suffice.
    """
    device = next(encoder.parameters()).device
    # Batches do not depend on one another, so that threads change no number.
    workers = max(1, processors() // torch.get_num_threads()) if device.type == "cpu" else 1
    budget = BATCH_TOKENS["cpu"] * (1 if device.type == "cpu" else 16)

    def batches_after(blocks: int, _: int) -> Iterator[tuple[list[int], list[Looked]]]:
        for begin in range(blocks * BLOCK_PASSAGES, len(passages), BLOCK_PASSAGES):
            block = passages[begin : begin + BLOCK_PASSAGES]
            titles, texts = [p.title for p in block], [p.text for p in block]
            tokens, spans = tokenize_and_locate(tokenizer, titles, texts, max_tokens)
            of_block = partial(_look_at_rows, encoder, tokens, spans, [p.row for p in block])
            rows = by_budget(tokens.lengths(), budget, longest_first=True)
            yield from in_threads(of_block, rows, workers)

    return map_batches(None, len(passages), BLOCK_PASSAGES, batches_after, what, "passage")


def _look_at_rows(
    encoder: TextEncoder,
    tokens: Tokens,
    spans: Sequence[Spans],
    names: Sequence[int],
    rows: NDArray[np.int64],
) -> tuple[list[int], list[Looked]]:
    device = next(encoder.parameters()).device
    try:
        with explain_out_of_memory(""):
            weights, vectors = look(encoder, tokens.batch(rows, PADDING).to(device))
    except InputError as error:
        remedy = "lower --max-tokens, or set ECQG_DEVICE=cpu"
        raise InputError(f"out of memory on {device}", remedy=remedy) from error
    of_rows = zip(rows.tolist(), weights.cpu().numpy(), vectors.cpu().numpy(), strict=True)
    lengths, found = tokens.lengths(), []
    for row, own, vector in of_rows:
        second, separators = int(tokens.second[row]), tokens.separators
        at = locate(names[row], own[: lengths[row]], second, spans[row], separators)
        found.append(Looked(at, vector))
    return rows.tolist(), found


@torch.inference_mode()
def look(encoder: TextEncoder, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention [n, width], summing to 1, 0 on padding, and vectors [n, dimensions], in fp32."""
    tokens, last = below_last(encoder.backbone, batch)
    if encoder.pooling == "cls":
        first = tokens[batch.starts]
        weights = first_scores(last, first, pad(tokens, batch), batch).softmax(-1).mean(1)
        pooled = last.finish(attend_first(last, first, tokens, batch), first)
    else:
        weights = mean_weights(last, pad(tokens, batch), batch)
        outputs = pad(whole_layer(last, tokens, batch), batch) * batch.mask[:, :, None]
        pooled = outputs.sum(1) / batch.mask.sum(1, keepdim=True)
    return weights, encoder.head(pooled)


def mean_weights(layer: Layer, padded: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Attention [n, width] in a layer, mean over heads and over all tokens as queries.

    `padded` [n, width, hidden] is what the layer is given.
    """
    n, width = batch.mask.shape
    query, key = (
        linear(padded).view(n, width, layer.heads, layer.size).transpose(1, 2)
        for linear in (layer.query, layer.key)
    )
    scores = query @ key.transpose(2, 3) * float(layer.size**-0.5)
    scores = scores.masked_fill(~batch.mask[:, None, None], -torch.inf)
    of_queries = scores.softmax(-1).mean(1) * batch.mask[:, :, None]
    mean: torch.Tensor = of_queries.sum(1) / batch.mask.sum(1, keepdim=True)
    return mean
