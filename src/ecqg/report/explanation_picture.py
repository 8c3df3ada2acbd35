"""How well attributions explain ranks, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ecqg.palette import styles
from ecqg.report.figure import new_figure, save
from ecqg.report.measured import ATTRIBUTIONS
from ecqg.report.names import shown as label


def draw_explanation(
    path: Path,
    explanation: Mapping[str, Mapping[str, Any]],
    systems: Sequence[str],
    confidence: float,
) -> None:
    """Draw the mean correlations with their intervals: a line for each attribution.

    `explanation` is what the stage of that name measured, by system; `systems` are all of the
    study.
    """
    of_systems = styles(systems)
    figure = new_figure(7, 2.8)
    axes = figure.subplots()
    for number, (system, found) in enumerate(explanation.items()):
        values = found["explains_rank"]
        colour, marker = of_systems[system]
        shown = [(i, values[name]) for i, name in enumerate(ATTRIBUTIONS) if name in values]
        axes.errorbar(
            [v["mean"] for _, v in shown],
            [i + 0.16 * (number - (len(explanation) - 1) / 2) for i, _ in shown],
            xerr=[
                [v["mean"] - v["low"] for _, v in shown],
                [v["high"] - v["mean"] for _, v in shown],
            ],
            fmt=marker,
            color=colour,
            label=label(system),
        )
    axes.axvline(0, color="0.6", linewidth=0.8)
    axes.set_yticks(range(len(ATTRIBUTIONS)), list(ATTRIBUTIONS.values()))
    axes.set_ylim(len(ATTRIBUTIONS) - 0.5, -0.5)
    axes.set_xlabel(
        "correlation with how well questions about the entity find the passage\n"
        f"(Spearman within passages, mean and {100 * confidence:g} % interval)"
    )
    figure.legend(loc="outside upper center", ncols=len(explanation), frameon=False)
    save(figure, path)
