"""Loss curves as CSV, read by `dvc plots`."""

from __future__ import annotations

from pathlib import Path

from ecqg.files import write_text


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

    def write(self, path: str | Path) -> None:
        """Write the curves."""
        lines = [f"{r},{s},{t / n:.6f}" for (r, s), (t, n) in sorted(self._sums.items())]
        write_text(path, "\n".join(["run,step,loss", *lines]) + "\n")
