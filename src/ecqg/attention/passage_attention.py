"""The [CLS] attention that a passage encoder gives to passages, token by token.

That of the final layer with [CLS] as the query (SIGIR sec. 2.1), without attention matrices: equal
to row 0 of `output_attentions=True`, averaged over heads. That option needs eager attention in
every layer and keeps [heads, tokens, tokens] a layer; here the lower layers run fused over packed
tokens, and of the last layer only the scores of one query are computed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.attention.tokens import TokenAttention, locate
from ecqg.corpus.passages import Passage
from ecqg.encoder.architectures import below_last, first_scores, pad
from ecqg.encoder.architectures import max_tokens as positions
from ecqg.encoder.encode import Arrays, to_host
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.encoder.tokens import PADDING, Spans, Tokens, tokenize_and_locate
from ecqg.encoder.tokens import Batch as Packed
from ecqg.errors import InputError
from ecqg.parallel.pool import alone, run
from ecqg.parallel.task import Task
from ecqg.params import Precision
from ecqg.processes import in_blocks
from ecqg.shards import Batch, map_batches
from ecqg.training.batches import by_budget
from ecqg.training.device import autocast, explain_out_of_memory, pick_device

if TYPE_CHECKING:
    from transformers import PreTrainedModel

BLOCK_PASSAGES = 1024  # tokenized together and sorted by length
# In one forward pass, padding included. On a CPU more is not faster (MiniLM, fp32, two cores: 82.2
# passages a second, 82.6 with 4096, 80.8 with 1024) and takes more memory (230 MiB, 320 with 4096).
BATCH_TOKENS = {"cpu": 1536, "cuda": 131_072}
AHEAD = {"cuda": 1}  # batches that a GPU has before it while an older one's weights are placed

R = TypeVar("R")


class PassageAttention:
    """A passage encoder, read from a Hugging Face folder, as a source of attention weights."""

    def __init__(self, folder: Path, max_tokens: int, precision: Precision) -> None:
        """`max_tokens` and `precision` are those with which the encoder encodes passages.

        Raises InputError as `load_text_encoder` does, and where the encoder has fewer positions.
        A public encoder that pools by the mean has a [CLS] too, which its vectors take in as one
        token among the others: the weights say where that one looks.
        """
        encoder, self._tokenizer = load_text_encoder(folder)
        if max_tokens > (limit := positions(encoder.backbone)):
            raise InputError(
                f"encoder.max_passage_tokens is {max_tokens}, more than the {limit} of {folder}",
                file="params.yaml",
                remedy=f"set it to {limit} or less",
            )
        self._device = pick_device()
        self._model = encoder.backbone.to(self._device).eval()
        self._max_tokens = max_tokens
        self._precision = precision
        self._folder = folder

    def attend(
        self,
        passages: Iterable[Passage],
        total: int,
        resume_dir: Path | None = None,
        what: str = "",
    ) -> Iterator[TokenAttention]:
        """The attention of each of `total` passages, in order; see `measure`."""
        of_all = self.measure(passages, total, TokenAttention.as_json, resume_dir, what)
        return map(TokenAttention.from_json, of_all)

    def measure(
        self,
        passages: Iterable[Passage],
        total: int,
        measured: Callable[[TokenAttention], R],
        resume_dir: Path | None = None,
        what: str = "",
    ) -> Iterator[R]:
        """What `measured` makes, JSON, of the attention of each of `total` passages, in order.

        Passages are drawn in blocks. Results go to the folder `resume_dir`, where there is one;
        `what` names a progress bar (`map_batches`).
        """
        ahead = AHEAD.get(self._device.type, 0)

        def batches_after(blocks: int, batches: int) -> Iterator[Batch[R]]:
            if not alone(Attend):
                yield from self._by_several(passages, blocks, batches, measured)
                return
            waiting: deque[Callable[[], Batch[R]]] = deque()
            rest = in_blocks(islice(passages, blocks * BLOCK_PASSAGES, None), BLOCK_PASSAGES)
            for number, block in enumerate(rest):
                for batch in self._begin(block, 0 if number else batches, measured):
                    waiting.append(batch)
                    if len(waiting) > ahead:
                        yield waiting.popleft()()
            while waiting:
                yield waiting.popleft()()

        return map_batches(resume_dir, total, BLOCK_PASSAGES, batches_after, what, "passage")

    def _by_several(
        self,
        passages: Iterable[Passage],
        blocks: int,
        batches: int,
        measured: Callable[[TokenAttention], R],
    ) -> Iterator[Batch[R]]:
        """The same batches, whose weights several processes compute."""

        def drawn() -> Iterator[_Drawn]:
            rest = in_blocks(islice(passages, blocks * BLOCK_PASSAGES, None), BLOCK_PASSAGES)
            for number, block in enumerate(rest):
                yield from self._draw(block, 0 if number else batches)

        own, ahead = tee(drawn())
        packed = (one.tokens.batch(one.rows, PADDING).arrays() for one in ahead)
        here = partial(_weights_of, self._model, self._device, self._precision)
        of_batches = run(Attend(self._folder, self._precision), packed, here=here)
        for one, weights in zip(own, of_batches, strict=True):
            yield one.finish(weights, measured)

    def _draw(self, block: Sequence[Passage], done: int) -> Iterator[_Drawn]:
        """The batches of a block but the first `done`."""
        texts = [passage.text for passage in block]
        titles = [passage.title for passage in block]
        tokens, spans = tokenize_and_locate(self._tokenizer, titles, texts, self._max_tokens)
        lengths = tokens.lengths()
        budget = BATCH_TOKENS.get(self._device.type, BATCH_TOKENS["cpu"])

        for rows in islice(by_budget(lengths, budget, longest_first=True), done, None):
            yield _Drawn(block, tokens, spans, rows)

    def _begin(
        self, block: Sequence[Passage], done: int, measured: Callable[[TokenAttention], R]
    ) -> Iterator[Callable[[], Batch[R]]]:
        """Have the device begin with the batches of a block but the first `done`, one by one.

        What is yielded waits for the device.
        """
        for one in self._draw(block, done):
            wait = self._weights(one.tokens, one.rows)
            yield lambda one=one, wait=wait: one.finish(wait(), measured)  # type: ignore[misc]

    def _weights(
        self, tokens: Tokens, rows: NDArray[np.int64]
    ) -> Callable[[], NDArray[np.float32]]:
        with (
            autocast(self._device, self._precision),
            explain_out_of_memory("encoder.max_passage_tokens"),
        ):
            batch = tokens.batch(rows, PADDING).to(self._device)
            return to_host(cls_weights(self._model, batch))


@dataclass(frozen=True)
class _Drawn:
    """A batch of a block's passages."""

    block: Sequence[Passage]
    tokens: Tokens
    spans: Sequence[Spans]
    rows: NDArray[np.int64]

    def finish(
        self, weights: NDArray[np.float32], measured: Callable[[TokenAttention], R]
    ) -> Batch[R]:
        """What is measured of each passage, from its tokens' weights."""
        lengths, results = self.tokens.lengths(), []
        for row, of_row in zip(self.rows.tolist(), weights, strict=True):
            own, second = of_row[: lengths[row]], int(self.tokens.second[row])
            passage, spans = self.block[row], self.spans[row]
            located = locate(passage.row, own, second, spans, self.tokens.separators)
            results.append(measured(located))
        return self.rows.tolist(), results


@dataclass(frozen=True)
class Attend(Task[Arrays, NDArray[np.float32]]):
    """`cls_weights` of batches, by the passage encoder in a folder."""

    folder: Path
    precision: Precision
    device = True

    def start(self) -> Callable[[Arrays], NDArray[np.float32]]:
        """Load the encoder."""
        device = pick_device()
        model = load_text_encoder(self.folder)[0].backbone.to(device).eval()
        return partial(_weights_of, model, device, self.precision)

    def name(self, block: Arrays) -> str:
        """Passages have no names here."""
        return f"a batch of {len(block['starts'])} passages"


def _weights_of(
    model: PreTrainedModel, device: torch.device, precision: Precision, block: Arrays
) -> NDArray[np.float32]:
    with autocast(device, precision), explain_out_of_memory("encoder.max_passage_tokens"):
        weights: NDArray[np.float32] = (
            cls_weights(model, Packed.from_arrays(block).to(device)).cpu().numpy()
        )
        return weights


@torch.inference_mode()
def cls_weights(model: PreTrainedModel, batch: Packed) -> torch.Tensor:
    """Weights [n, width] in fp32: mean over heads, sum 1 over tokens, 0 on padding.

    The model is one of ecqg.encoder.architectures, in eval mode; a sequence's first token is its
    [CLS].
    """
    tokens, last = below_last(model, batch)
    with torch.autocast(tokens.device.type, enabled=False):
        tokens = tokens.float()
        scores = first_scores(last, tokens[batch.starts], pad(tokens, batch), batch)
        return scores.softmax(-1).mean(1)
