"""Loss curves as CSV, read by `dvc plots`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import torch

from ecqg.errors import InputError
from ecqg.tables import write_table

READ_LOSSES = 20  # steps
Row = tuple[str, int, float, int]


class LossLog:
    """Collects (run, step, loss) and writes the mean over spans of steps as one CSV.

    Columns: run (which curve, such as train or dev), step (of the optimiser), loss (nats).
    """

    def __init__(self, every: int = 20) -> None:
        self._every = every
        self._sums: dict[tuple[str, int], tuple[float, int]] = {}

    def add(self, run: str, step: int, loss: float) -> None:
        """Add one loss; it counts towards the span that ends at or after `step`."""
        key = (run, -(-step // self._every) * self._every)
        total, count = self._sums.get(key, (0.0, 0))
        self._sums[key] = (total + loss, count + 1)

    def rows(self) -> list[Row]:
        """What was added: run, end of the span, and sum and number of the span's losses."""
        return [(run, step, *sums) for (run, step), sums in self._sums.items()]

    def restore(self, rows: Iterable[Row]) -> None:
        """Have what a log with equal spans gave as `rows`, and nothing else."""
        self._sums = {(run, step): (total, count) for run, step, total, count in rows}

    def write(self, path: str | Path) -> None:
        """Write the curves."""
        rows = ([r, s, f"{t / n:.6f}"] for (r, s), (t, n) in sorted(self._sums.items()))
        write_table(path, ("run", "step", "loss"), rows)


@dataclass
class StepLosses:
    """A loop's losses on their way to a log.

    They stay on their device until some are read together, since reading one makes the processor
    wait until the GPU has computed it.
    """

    log: LossLog
    run: str = "train"
    remedy: str = "lower the learning rate"
    note: str = ""  # for a progress bar: the mean of the losses that were read last
    _waiting: list[tuple[int, torch.Tensor, int]] = field(default_factory=list)

    def add(self, step: int, loss: torch.Tensor, parts: int = 1) -> None:
        """Take the loss of a step, a scalar; it is logged divided by `parts`.

        Raises InputError as `read` does, which it calls now and then.
        """
        self._waiting.append((step, loss.detach(), parts))
        if len(self._waiting) == READ_LOSSES:
            self.read()

    def read(self) -> None:
        """Log what waits. Raises InputError for a loss that is no finite number."""
        if not self._waiting:
            return
        values = torch.stack([loss for _, loss, _ in self._waiting]).tolist()
        means = [value / parts for value, (_, _, parts) in zip(values, self._waiting, strict=True)]
        for (step, _, _), mean in zip(self._waiting, means, strict=True):
            if not math.isfinite(mean):
                raise InputError(f"the loss at step {step} is {mean}", remedy=self.remedy)
            self.log.add(self.run, step, mean)
        self._waiting.clear()
        self.note = f"loss {sum(means) / len(means):.3f}"
