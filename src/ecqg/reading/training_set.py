"""Windows to train a reader on, as tokens on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.columns import Columns
from ecqg.corpus.reading import ReadingExample
from ecqg.reading.windows import Lengths, Window, cut

BLOCK = 8192  # windows in memory while they are made
COLUMNS = {"ids": np.int32, "types": np.int8, "lengths": np.int64, "targets": np.int64}


class TrainingWindow(NamedTuple):
    """A window as a model sees it: token ids and token types, [tokens] each."""

    ids: NDArray[np.int32]
    types: NDArray[np.int8]


@dataclass(frozen=True)
class TrainingSet:
    """n windows, one after the other, and the tokens that they are trained towards.

    Window i is `ids[offsets[i] : offsets[i + 1]]`, and so are its `types`.
    """

    ids: NDArray[np.int32]
    types: NDArray[np.int8]
    offsets: NDArray[np.int64]  # [n + 1]
    targets: NDArray[np.int64]  # [n, 2] first and last token of the first gold answer, else 0, 0

    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each window, [n]."""
        return np.diff(self.offsets)

    def batch(self, rows: Sequence[int]) -> tuple[list[TrainingWindow], torch.Tensor]:
        """The windows of `rows`, and their targets, [rows, 2]."""
        spans = [slice(self.offsets[row], self.offsets[row + 1]) for row in rows]
        windows = [TrainingWindow(self.ids[span], self.types[span]) for span in spans]
        return windows, torch.from_numpy(self.targets[rows])


def build_training_set(
    tokenizer: Any, examples: Sequence[ReadingExample], lengths: Lengths, *, mark_overlap: bool
) -> TrainingSet:
    """Cut examples, at least one, into windows. Tokens lie in temporary files, memory-mapped.

    Raises InputError where the lengths leave gaps.
    """
    pairs = [(e.question, e.context) for e in examples]
    windows = cut(tokenizer, pairs, lengths, mark_overlap=mark_overlap)
    with TemporaryDirectory() as folder:  # the maps keep the files
        columns = Columns(Path(folder), COLUMNS)
        while block := list(islice(windows, BLOCK)):
            targets = [_target(window, examples[window.example]) for window in block]
            columns.append(
                ids=np.concatenate([w.ids for w in block]),
                types=np.concatenate([w.types for w in block]),
                lengths=np.array([len(w.ids) for w in block], np.int64),
                targets=np.array(targets, np.int64).ravel(),
            )
        offsets = np.concatenate([[0], np.cumsum(columns.read("lengths"))])
        ids, types, flat = (columns.read(name) for name in ("ids", "types", "targets"))
        return TrainingSet(ids, types, offsets, flat.reshape(-1, 2))


def _target(window: Window, example: ReadingExample) -> tuple[int, int]:
    for answer in example.answers[:1]:
        lead = len(answer.text) - len(answer.text.lstrip())
        begin = answer.start + lead
        return window.locate(begin, begin + len(answer.text.strip()))
    return 0, 0
