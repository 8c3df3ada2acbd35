"""How well attributions explain ranks, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ecqg.analysis.explanation import ATTRIBUTIONS
from ecqg.files import atomic

NAMES = {
    "attention": "[CLS] attention",
    "gradient": "gradient x input",
    "left_out": "leave one out",
    "early": "stands early in the text",
}
# Colours of Okabe and Ito; markers tell systems apart in print.
STYLES = {"dpr": ("#0072B2", "o", "DPR"), "mixed": ("#D55E00", "^", "Mixed-DPR")}


def draw_explanation(
    path: Path, found: Mapping[str, Mapping[str, Mapping[str, Any]]], confidence: float
) -> None:
    """Draw the mean correlations with their intervals: a line for each attribution."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 2.8), layout="constrained")
    axes = figure.subplots()
    for number, (system, values) in enumerate(found.items()):
        colour, marker, label = STYLES[system]
        shown = [(i, values[name]) for i, name in enumerate(ATTRIBUTIONS) if name in values]
        axes.errorbar(
            [v["mean"] for _, v in shown],
            [i + 0.16 * (number - (len(found) - 1) / 2) for i, _ in shown],
            xerr=[
                [v["mean"] - v["low"] for _, v in shown],
                [v["high"] - v["mean"] for _, v in shown],
            ],
            fmt=marker,
            color=colour,
            label=label,
        )
    axes.axvline(0, color="0.6", linewidth=0.8)
    axes.set_yticks(range(len(ATTRIBUTIONS)), [NAMES[name] for name in ATTRIBUTIONS])
    axes.set_ylim(len(ATTRIBUTIONS) - 0.5, -0.5)
    axes.set_xlabel(
        "correlation with how well questions about the entity find the passage\n"
        f"(Spearman within passages, mean and {100 * confidence:g} % interval)"
    )
    figure.legend(loc="outside upper center", ncols=len(found), frameon=False)
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=150, metadata={"Software": None})
