"""What seeds say of each claim, as a picture: differences by seed, their mean and interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.palette import REFERENCE, SERIES, Style
from ecqg.report.claims import MARGIN, Judged
from ecqg.report.names import shown
from ecqg.report.pictures import new_figure, plain, save
from ecqg.systems import LEXICAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# By the verdict's first words; the first that fits.
LOOKS = {
    "reproduced": Style(SERIES[0], "o"),
    "reversed": Style(SERIES[3], "X"),
    "not reproduced: equivalent": Style(SERIES[4], "s"),
    "not reproduced": Style(REFERENCE, "o"),
}
ROW = 0.2  # inches a claim


def draw_claims(path: Path, judged: Iterable[Judged]) -> None:
    """Draw the figure as PNG."""
    save(claims_figure(judged), path)


def claims_figure(judged: Iterable[Judged]) -> Figure:
    """A row a claim: a panel for each two dual encoders, all of one scale, and others below.

    Strokes are seeds, the mark their mean, the bar the interval over seeds and questions.
    """
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(_title(one), []).append(one)
    groups = dict(sorted(groups.items(), key=lambda group: _apart(group[1][0])))
    rows = [len(group) for group in groups.values()]
    figure = new_figure(10, 0.8 + 0.55 * len(groups) + ROW * sum(rows))
    panels = figure.subplots(len(rows) or 1, 1, squeeze=False, height_ratios=rows or [1])[:, 0]
    widest = max((_reach(one) for group in groups.values() for one in group), default=1.0)
    for panel, (title, group) in zip(panels, groups.items(), strict=False):
        _draw(panel, title, group)
        if not _apart(group[0]):
            panel.set_xlim(-widest, widest)
            panel.axvspan(-MARGIN, MARGIN, color="0.95", zorder=0)
    handles = [
        panels[0].plot([], [], look.marker, color=look.colour, label=said)[0]
        for said, look in LOOKS.items()
    ]
    handles[-1].set_label("not reproduced: undecided")
    figure.legend(handles=handles, loc="outside upper center", ncols=len(LOOKS), frameon=False)
    return figure


def _title(one: Judged) -> str:
    if not _points(one):
        return "attention (nats; density of sentences)"
    if _apart(one):
        return "accuracy against term matching (points)"
    return f"{shown(one.claim.system)} less {shown(one.claim.baseline)} (points)"


def _points(one: Judged) -> bool:
    """Whether it is about accuracies."""
    return one.claim.metric.startswith("top")


def _apart(one: Judged) -> bool:
    """Whether it needs a scale of its own."""
    return not _points(one) or one.claim.baseline in LEXICAL


def _reach(one: Judged) -> float:
    """How far from 0 it is drawn, and a little."""
    return 0.0 if _apart(one) else 1.05 * max(map(abs, (*one.differences, *(one.interval or ()))))


def _draw(panel: Axes, title: str, group: Sequence[Judged]) -> None:
    panel.axvline(0, color="0.4", linewidth=1)
    for place, one in enumerate(group):
        fitting = (look for said, look in LOOKS.items() if one.verdict.startswith(said))
        colour, marker = next(fitting, LOOKS["not reproduced"])
        if one.interval:
            panel.hlines(place, *one.interval, color=colour, linewidth=1.6)
        panel.plot(one.differences, [place] * len(one.differences), "|", color="0.55", markersize=5)
        panel.plot(one.found.mean, place, marker, color=colour, markersize=6)
    plain(panel, "x", title)
    panel.set_ylim(len(group) - 0.4, -0.6)
    names = [str(one.claim) for one in group]
    if not _apart(group[0]):  # the title has the systems
        names = [name.partition(", ")[2] for name in names]
    panel.set_yticks(range(len(group)), names, fontsize=8)
    panel.tick_params(axis="y", length=0)
