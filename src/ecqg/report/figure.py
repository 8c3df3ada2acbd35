"""What the report's pictures share: an empty figure, a plain panel, and how they are saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.files import atomic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, sizes in inches."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def plain(panel: Axes, grid: str) -> None:
    """A panel with a faint grid on one axis, x or y, and without a frame."""
    panel.grid(axis=grid, color="0.87", linewidth=0.6)  # type: ignore[arg-type]
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def save(figure: Figure, path: Path) -> None:
    """Write a PNG, without the version of matplotlib that it is by default signed with."""
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=150, metadata={"Software": None})
