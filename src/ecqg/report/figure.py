"""What the report's pictures share: an empty figure, a plain panel, and how they are saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.files import atomic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by colour-blind readers; markers tell them apart in print.
STYLES = {
    "tfidf": ("#999999", "v"),
    "bm25": ("#000000", "s"),
    "dpr": ("#0072B2", "o"),
    "uncon": ("#E69F00", "D"),
    "mixed": ("#D55E00", "^"),
    "aug": ("#009E73", "P"),
    "supervised": ("#CC79A7", "*"),
    "baseline": ("#56B4E9", "X"),
}


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
