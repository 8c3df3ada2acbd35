"""Vectors of many texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.encoder.architectures import max_tokens
from ecqg.encoder.text_encoder import TextEncoder, load_text_encoder
from ecqg.encoder.token_file import collection_tokens
from ecqg.encoder.tokens import (
    PADDING,
    Batch,
    Titled,
    Tokens,
    tokenize_passages,
    tokenize_questions,
)
from ecqg.encoder.vector_file import VECTORS, VectorFile
from ecqg.errors import InputError
from ecqg.parallel.pool import alone, run
from ecqg.parallel.task import Task
from ecqg.params import Encoder, Precision
from ecqg.progress import track
from ecqg.training.batches import by_budget
from ecqg.training.device import autocast, explain_out_of_memory, pick_device, product_dtype

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]  # ecqg.encoder.tokens.Batch
Store = Callable[[Rows, Vectors], object]
# On a CPU a batch's activations should stay in its caches, on a GPU they should keep it busy.
TOKENS_PER_BATCH = {"cpu": 4096, "cuda": 131_072}
WINDOW = 8192  # passages that are sorted by length together
AHEAD = {"cuda": 2}  # batches that a GPU has before it while an older one's vectors are stored


class Encoding:
    """One half of a dual encoder, ours or a public one, ready to encode texts."""

    def __init__(self, folder: Path, settings: Encoder) -> None:
        self._model, self._tokenizer, self._device = _load(folder, settings.precision)
        self._settings = settings
        self._task = Encode(folder, settings.precision)
        check_lengths(self._model.backbone, settings)

    @property
    def hidden(self) -> int:
        """Dimensions of a vector."""
        return self._model.dimensions

    def questions(self, texts: Sequence[str], scratch: Path | None = None) -> Vectors:
        """Vectors of questions, [n, hidden]: in memory, or on disk as `on_disk` has them."""
        tokens = tokenize_questions(self._tokenizer, texts, self._settings.max_question_tokens)
        batches = by_length(tokens, np.arange(len(tokens)), self._device)
        return self._vectors(tokens, batches, "question", scratch)

    def passages(self, passages: Sequence[Titled], scratch: Path | None = None) -> Vectors:
        """The same of passages."""
        titles, texts = [p.title for p in passages], [p.text for p in passages]
        limit = self._settings.max_passage_tokens
        tokens = tokenize_passages(self._tokenizer, titles, texts, limit)
        return self._vectors(tokens, self._windows(tokens), "passage", scratch)

    def tokens_of(self, passages_file: Path) -> Tokens:
        """A passage store's token ids on disk, which systems share."""
        return collection_tokens(passages_file, self._tokenizer, self._settings.max_passage_tokens)

    def on_disk(
        self, tokens: Tokens, scratch: Path, stored: Literal["fp32", "fp16"] = "fp32"
    ) -> Path:
        """Vectors of at least one passage in a NumPy file in `scratch`, [n, hidden].

        Memory does not grow with their number, memory maps aside. A call resumes what a killed one
        left in `scratch`, to the same bytes. Raises InputError where the disk has no room for them.
        """
        self._vectors(tokens, self._windows(tokens), "passage", scratch, stored)
        return scratch / VECTORS

    def _vectors(
        self,
        tokens: Tokens,
        batches: Iterable[Rows],
        unit: str,
        scratch: Path | None,
        stored: Literal["fp32", "fp16"] = "fp32",
    ) -> Vectors:
        total = len(tokens)

        def encode(batches: Iterable[Rows], store: Store, done: int = 0) -> None:
            bar = track(batches, f"encode {unit}s", total=total, done=done, unit=unit, size=len)
            if alone(Encode):
                encode_batches(self._model, tokens, bar, store)
                return
            drawn, ahead = tee(bar)
            blocks = (tokens.batch(rows, PADDING).arrays() for rows in ahead)
            here = partial(_vectors_of, self._model, self._device)
            for rows, vectors in zip(drawn, run(self._task, blocks, here=here), strict=True):
                store(rows, vectors)

        if scratch is None or not total:
            out = np.empty((total, self.hidden), np.float32)
            encode(batches, out.__setitem__)
            return out
        file = VectorFile(scratch, total, self.hidden, stored)
        encode((rows for rows in batches if file.lacks(rows)), file.write, file.done)
        file.save()
        return np.load(scratch / VECTORS, mmap_mode="r")  # type: ignore[no-any-return]

    def _windows(self, tokens: Tokens) -> Iterator[Rows]:
        """Batches of all sequences, window by window."""
        for begin in range(0, len(tokens), WINDOW):
            rows = np.arange(begin, min(begin + WINDOW, len(tokens)))
            yield from by_length(tokens, rows, self._device)


@dataclass(frozen=True)
class Encode(Task[Arrays, Vectors]):
    """Vectors of batches, by the half of a dual encoder in a folder."""

    folder: Path
    precision: Precision
    device = True

    def start(self) -> Callable[[Arrays], Vectors]:
        """Load the encoder."""
        model, _, device = _load(self.folder, self.precision)
        return partial(_vectors_of, model, device)

    def name(self, block: Arrays) -> str:
        """Texts have no names here."""
        return f"a batch of {len(block['starts'])} texts"


def _load(
    folder: Path, precision: Precision
) -> tuple[TextEncoder, PreTrainedTokenizerBase, torch.device]:
    """All of the backbone in bf16, where that is asked for.

    Autocast, with which training goes, keeps norms and sums in fp32: 6 % slower, for a cosine with
    fp32 of 0.99998 in place of 0.99993 (MiniLM).
    """
    model, tokenizer = load_text_encoder(folder)
    device = pick_device()
    model.to(device).eval().backbone.to(product_dtype(device, precision))
    return model, tokenizer, device


@torch.inference_mode()
def _vectors_of(encoder: TextEncoder, device: torch.device, block: Arrays) -> Vectors:
    with explain_out_of_memory("encoder.max_passage_tokens"):
        vectors = encoder(Batch.from_arrays(block).to(device))
        return vectors.float().cpu().numpy()  # type: ignore[no-any-return]


def encode_rows(encoder: TextEncoder, tokens: Tokens, precision: Precision) -> Vectors:
    """Vectors of token sequences in their order, [n, hidden].

    Sequences of like length are computed together; a vector depends on its company by rounding
    only.
    """
    out = np.empty((len(tokens), encoder.dimensions), np.float32)
    device = next(encoder.parameters()).device
    batches = by_length(tokens, np.arange(len(tokens)), device)
    encode_batches(encoder, tokens, batches, out.__setitem__, precision)
    return out


@torch.inference_mode()
def encode_batches(
    encoder: TextEncoder,
    tokens: Tokens,
    batches: Iterable[Rows],
    store: Store,
    precision: Precision = "fp32",
) -> None:
    """Call `store` with the rows of each batch, in order, and their vectors, [n, hidden].

    A GPU is never left without work: its vectors are waited for only when AHEAD further batches
    are under way.
    """
    device = next(encoder.parameters()).device
    ahead = AHEAD.get(device.type, 0)
    waiting: deque[tuple[Rows, Callable[[], Vectors]]] = deque()

    def store_oldest() -> None:
        rows, vectors = waiting.popleft()
        store(rows, vectors())

    with autocast(device, precision), explain_out_of_memory("encoder.max_passage_tokens"):
        for rows in batches:
            vectors = encoder(tokens.batch(rows, PADDING).to(device))
            waiting.append((rows, to_host(vectors.float())))
            if len(waiting) > ahead:
                store_oldest()
        while waiting:
            store_oldest()


def to_host(vectors: torch.Tensor) -> Callable[[], Vectors]:
    """Begin to copy a device's tensor; what is returned waits for the copy and gives it."""
    if vectors.device.type != "cuda":
        return vectors.cpu().numpy
    copy = vectors.to("cpu", non_blocking=True)  # into pinned memory
    stream: Any = torch.cuda.current_stream(vectors.device)
    copied = stream.record_event()

    def wait() -> Vectors:
        copied.synchronize()
        return copy.numpy()

    return wait


def by_length(tokens: Tokens, rows: Rows, device: torch.device) -> list[Rows]:
    """Cut `rows` into batches of sequences of like length, up to a number of tokens."""
    lengths = tokens.offsets[rows + 1] - tokens.offsets[rows]
    return [rows[own] for own in by_budget(lengths, TOKENS_PER_BATCH.get(device.type, 8192))]


def check_lengths(model: PreTrainedModel, settings: Encoder) -> None:
    """Raise InputError where the encoder has no positions for these lengths."""
    limit = max_tokens(model)
    for name in ("max_question_tokens", "max_passage_tokens"):
        if (asked := getattr(settings, name)) > limit:
            what = f"encoder.{name} is {asked}, more than the encoder's {limit} positions"
            raise InputError(what, file="params.yaml", remedy=f"set it to {limit} or less")
