"""The [CLS] attention that a passage encoder gives to passages, token by token."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.cls_attention import cls_weights
from ecqg.attention.tokens import TokenAttention, locate
from ecqg.corpus.passages import Passage
from ecqg.encoder.architectures import max_tokens as positions
from ecqg.encoder.encode import to_host
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.encoder.tokens import PADDING, Tokens, tokenize_and_locate
from ecqg.errors import InputError
from ecqg.params import Precision
from ecqg.processes import in_blocks
from ecqg.shards import Batch, map_batches
from ecqg.training.device import autocast, explain_out_of_memory, pick_device

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

    def attend(self, passages: Sequence[Passage]) -> Iterator[TokenAttention]:
        """The attention of each passage, in order."""
        return self.measure(passages, len(passages), lambda attention: attention)

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

    def _begin(
        self, block: Sequence[Passage], done: int, measured: Callable[[TokenAttention], R]
    ) -> Iterator[Callable[[], Batch[R]]]:
        """Have the device begin with the batches of a block but the first `done`, one by one.

        What is yielded waits for the device.
        """
        texts = [passage.text for passage in block]
        titles = [passage.title for passage in block]
        tokens, spans = tokenize_and_locate(self._tokenizer, titles, texts, self._max_tokens)
        lengths = tokens.lengths()
        budget = BATCH_TOKENS.get(self._device.type, BATCH_TOKENS["cpu"])

        def finish(rows: list[int], wait: Callable[[], NDArray[np.float32]]) -> Batch[R]:
            found = []
            for row, weights in zip(rows, wait(), strict=True):
                weights, second = weights[: lengths[row]], int(tokens.second[row])
                found.append(
                    measured(locate(block[row].row, weights, second, spans[row], tokens.separators))
                )
            return rows, found

        for rows in islice(batches_by_length(lengths, budget), done, None):
            yield partial(finish, rows.tolist(), self._weights(tokens, rows))

    def _weights(
        self, tokens: Tokens, rows: NDArray[np.int64]
    ) -> Callable[[], NDArray[np.float32]]:
        with (
            autocast(self._device, self._precision),
            explain_out_of_memory("encoder.max_passage_tokens"),
        ):
            batch = tokens.batch(rows, PADDING).to(self._device)
            return to_host(cls_weights(self._model, batch))


def batches_by_length(lengths: NDArray[np.int64], tokens: int) -> Iterator[NDArray[np.int64]]:
    """Indexes in batches of at most `tokens` padded tokens, the longest sequences first."""
    order = np.argsort(-lengths, kind="stable")
    first = 0
    while first < len(order):
        size = max(1, tokens // max(1, int(lengths[order[first]])))
        yield order[first : first + size]
        first += size
