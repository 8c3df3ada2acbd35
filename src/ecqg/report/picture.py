"""Accuracy by system and test set, with confidence intervals, as a picture."""

from __future__ import annotations

from pathlib import Path

from ecqg.palette import styles
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.names import first_stages
from ecqg.report.names import shown as label
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import Results, subset_of

KS = (1, 5)


def draw_accuracy(path: Path, results: Results, confidence: float) -> None:
    """Draw top-1 and top-5 side by side, a line of points for each test set, the first on top.

    `confidence` is the level of the intervals.
    """
    numbers, test_sets = results.numbers, results.test_sets
    rows = numbers[(numbers.metric == ACCURACY) & numbers.k.isin(KS)]
    found = {
        key: dict(zip(of.name, of.itertuples(), strict=True))
        for key, of in rows.groupby(["system", "k"])
    }
    systems = first_stages(results.accuracy)
    of_systems = styles(results.study.systems)
    ks = [k for k in KS if k in {*rows.k}] or KS[:1]
    figure = new_figure(10, 1.3 + 0.62 * len(test_sets))
    panels = figure.subplots(1, len(ks), sharey=True, squeeze=False)[0]
    for panel, k in zip(panels, ks, strict=True):
        for number, system in enumerate(systems):
            chosen = found.get((system, k), {})
            shown = [(i, chosen[name]) for i, name in enumerate(test_sets) if name in chosen]
            offset = min(0.15, 0.8 / len(systems)) * (number - (len(systems) - 1) / 2)
            below = [max(0.0, row.value - row.low) for _, row in shown]
            above = [max(0.0, row.high - row.value) for _, row in shown]
            colour, marker = of_systems[system]
            panel.errorbar(
                [row.value for _, row in shown],
                [i + offset for i, _ in shown],
                xerr=[below, above],
                fmt=marker,
                color=colour,
                markersize=5,
                linewidth=1.2,
                label=label(system),
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
