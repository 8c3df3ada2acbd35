"""Tables 4.2 and 4.3 of the thesis as a picture, ours beside the published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ecqg.report.figure import new_figure, plain, save
from ecqg.report.question_bias import LOCATION, OVERLAP, TRAIN, Curve

FOUND, MISSED = "dev, found by DPR", "dev, missed by DPR"
# Panels from the left: title, measure, and the curves with their colours (Okabe and Ito's).
PANELS = (
    ("Question overlap, training questions", OVERLAP, {TRAIN: "#0072B2"}),
    ("Answer location, training questions", LOCATION, {TRAIN: "#0072B2"}),
    ("Question overlap, dev questions", OVERLAP, {FOUND: "#0072B2", MISSED: "#D55E00"}),
)
STYLES = {"ours": ("-", "o", ""), "published": ("--", "s", ", published (NQ)")}


def draw_question_bias(path: Path, curves: Sequence[Curve]) -> None:
    """Draw percentages over sentences of the gold passage; ours solid, the published dashed."""
    figure = new_figure(11, 3.8)
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for panel, (title, what, colours) in zip(panels, PANELS, strict=True):
        for source, measure, questions, values in curves:
            if measure != what or questions not in colours:
                continue
            line, marker, suffix = STYLES[source]
            known = [(i, value) for i, value in enumerate(values, 1) if value is not None]
            panel.plot(
                [i for i, _ in known],
                [value for _, value in known],
                linestyle=line,
                marker=marker,
                markersize=4.5,
                markerfacecolor=colours[questions] if source == "ours" else "white",
                color=colours[questions],
                linewidth=1.5,
                label=questions.removeprefix("dev, ") + suffix,
            )
        panel.set_title(title, fontsize=10, loc="left")
        panel.set_xlabel("sentence of the gold passage")
        panel.set_ylim(bottom=0)
        plain(panel, "y")
        panel.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("%")
    save(figure, path)
