"""Tables 4.2 and 4.3 of the thesis as a picture, ours beside the published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ecqg.palette import SERIES
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.measured import LOCATION, OVERLAP, TRAIN, Curve

DEV = "Question overlap, dev questions, {}"
FOUND, MISSED = "dev, found by ", "dev, missed by "
ALL, MISSED_COLOUR, FOUND_COLOUR = SERIES[:3]
# Title, measure, and the curves with their colours.
Panel = tuple[str, str, dict[str, str]]
TRAINING: list[Panel] = [
    ("Question overlap, training questions", OVERLAP, {TRAIN: ALL}),
    ("Answer location, training questions", LOCATION, {TRAIN: ALL}),
]
STYLES = {"ours": ("-", "o", ""), "published": ("--", "s", ", published (NQ)")}


def draw_question_bias(path: Path, curves: Sequence[Curve]) -> None:
    """Draw percentages over sentences of the gold passage; ours solid, the published dashed."""
    drawn = _panels(curves)
    columns = max(1, len(drawn))  # an empty one where nothing was measured
    figure = new_figure(3.65 * columns, 3.8)
    panels = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    for panel, (title, what, colours) in zip(panels, drawn, strict=False):
        for source, measure, questions, values in curves:
            if measure != what or questions not in colours:
                continue
            line, marker, suffix = STYLES[source]
            places = [i for i, value in enumerate(values, 1) if value is not None]
            panel.plot(
                places,
                [values[i - 1] for i in places],
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
        plain(panel, "y")
        panel.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("%")
    panels[0].set_ylim(bottom=0)  # of all, and last: it ends the search for limits that fit
    save(figure, path)


def _panels(curves: Sequence[Curve]) -> list[Panel]:
    """From the left: the training questions, then a panel for each system, in the curves' order."""
    known = [questions for _, _, questions, _ in curves]
    names = [q.removeprefix(FOUND) for q in dict.fromkeys(known) if q.startswith(FOUND)]
    of_systems: list[Panel] = [
        (DEV.format(name), OVERLAP, {FOUND + name: FOUND_COLOUR, MISSED + name: MISSED_COLOUR})
        for name in names
    ]
    return [panel for panel in TRAINING if TRAIN in known] + of_systems
