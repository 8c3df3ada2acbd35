"""Accuracy by system and test set, with confidence intervals, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ecqg.palette import STYLES
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.results import SYSTEMS, subset_of

KS = (1, 5)


def draw_accuracy(
    path: Path, rows: Sequence[Mapping[str, str]], test_sets: Sequence[str], confidence: float
) -> None:
    """Draw top-1 and top-5 side by side, a line of points for each test set.

    `rows` have system, test_set, k, accuracy, low and high, the bounds of an interval at level
    `confidence`; `test_sets` is the order from the top.
    """
    systems = [s for s in SYSTEMS if any(row["system"] == s for row in rows)]
    ks = [k for k in KS if any(row["k"] == str(k) for row in rows)] or KS[:1]
    figure = new_figure(10, 1.3 + 0.62 * len(test_sets))
    panels = figure.subplots(1, len(ks), sharey=True, squeeze=False)[0]
    for panel, k in zip(panels, ks, strict=True):
        for number, system in enumerate(systems):
            chosen = {r["test_set"]: r for r in rows if r["system"] == system and r["k"] == str(k)}
            shown = [(i, chosen[name]) for i, name in enumerate(test_sets) if name in chosen]
            offset = min(0.15, 0.8 / len(systems)) * (number - (len(systems) - 1) / 2)
            values = [float(row["accuracy"]) for _, row in shown]
            below = [float(r["accuracy"]) - float(r["low"]) for _, r in shown]
            above = [float(r["high"]) - float(r["accuracy"]) for _, r in shown]
            colour, marker = STYLES[system]
            panel.errorbar(
                values,
                [i + offset for i, _ in shown],
                xerr=[[max(0.0, b) for b in below], [max(0.0, a) for a in above]],
                fmt=marker,
                color=colour,
                markersize=5,
                linewidth=1.2,
                label=SYSTEMS[system],
            )
        for i in range(0, len(test_sets), 2):
            panel.axhspan(i - 0.5, i + 0.5, color="0.95", zorder=0)
        panel.set_ylim(max(1, len(test_sets)) - 0.5, -0.5)
        panel.set_yticks(range(len(test_sets)), [_tick(name) for name in test_sets])
        panel.set_xlabel(f"top-{k} accuracy (%) with {100 * confidence:g} % interval")
        plain(panel, "x")
        panel.spines["left"].set_visible(False)
        panel.tick_params(axis="y", length=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(systems), frameon=False)
    save(figure, path)


def _tick(test_set: str) -> str:
    subset = subset_of(test_set)
    return f"{subset[0]}\n{subset[1]}" if subset else test_set
