"""The pictures for people, but for that of attention; ours filled, the published hollow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg.files import atomic
from ecqg.palette import REFERENCE, SERIES, styles
from ecqg.report import published
from ecqg.report.measured import (
    ATTRIBUTIONS,
    LOCATION,
    OVERLAP,
    PUBLISHED_COLLECTION,
    TRAIN,
    Curve,
    has_published_vocabulary,
    read_coverage,
    read_vocabulary,
)
from ecqg.report.names import first_stages, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import Results, subset_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KS = (1, 5)
FOUND, MISSED = "dev, found by ", "dev, missed by "
WORDS = {"words": (SERIES[0], "all words"), "content_words": (SERIES[1], "without stop words")}
HOLLOW = {"color": REFERENCE, "markerfacecolor": "white", "linestyle": "none"}
Bounds = tuple[float, float, float]  # a value and its interval


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def plain(panel: Axes, grid: str, title: str = "") -> None:
    """A panel with a faint grid on one axis, x or y, and without a frame."""
    panel.grid(axis=grid, color="0.87", linewidth=0.6)  # type: ignore[arg-type]
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
    panel.set_title(title, fontsize=10, loc="left")


def bars(panel: Axes, places: Sequence[float], values: Iterable[Bounds], **style: Any) -> None:
    """Points at heights, with their intervals to the left and right."""
    rows = [*values]
    below = [max(0.0, value - low) for value, low, _ in rows]
    above = [max(0.0, high - value) for value, _, high in rows]
    panel.errorbar([row[0] for row in rows], places, xerr=[below, above], **style)


def save(figure: Figure, path: Path) -> None:
    """Write a PNG, without the version of matplotlib that it is by default signed with."""
    with atomic(path) as aside:
        figure.savefig(aside, format="png", dpi=150, metadata={"Software": None})


def draw_accuracy(path: Path, results: Results, confidence: float) -> None:
    """Draw top-1 and top-5 side by side, a line of points for each test set, the first on top.

    `confidence` is the level of the intervals.
    """
    numbers, test_sets = results.numbers, results.test_sets
    rows = numbers[(numbers.metric == ACCURACY) & numbers.k.isin(KS)]
    bounds = ["value", "low", "high"]
    found = {
        key: dict(zip(of.name, of[bounds].itertuples(index=False, name=None), strict=True))
        for key, of in rows.groupby(["system", "k"])
    }
    systems, of_systems = first_stages(results.accuracy), styles(results.study.systems)
    ks = [k for k in KS if k in {*rows.k}] or KS[:1]
    figure = new_figure(10, 1.3 + 0.62 * len(test_sets))
    panels = figure.subplots(1, len(ks), sharey=True, squeeze=False)[0]
    for panel, k in zip(panels, ks, strict=True):
        for number, system in enumerate(systems):
            chosen = found.get((system, k), {})
            offset = min(0.15, 0.8 / len(systems)) * (number - (len(systems) - 1) / 2)
            colour, marker = of_systems[system]
            bars(
                panel,
                [i + offset for i, name in enumerate(test_sets) if name in chosen],
                [chosen[name] for name in test_sets if name in chosen],
                fmt=marker,
                color=colour,
                markersize=5,
                linewidth=1.2,
                label=shown(system),
            )
        for i in range(0, len(test_sets), 2):
            panel.axhspan(i - 0.5, i + 0.5, color="0.95", zorder=0)
        panel.set_ylim(max(1, len(test_sets)) - 0.5, -0.5)
        names = ["\n".join(subset_of(name) or (name,)) for name in test_sets]
        panel.set_yticks(range(len(test_sets)), names)
        panel.set_xlabel(f"top-{k} accuracy (%) with {100 * confidence:g} % interval")
        plain(panel, "x")
        panel.spines["left"].set_visible(False)
        panel.tick_params(axis="y", length=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(systems), frameon=False)
    save(figure, path)


def draw_explanation(
    path: Path, explanation: Mapping[str, Any], systems: Sequence[str], confidence: float
) -> None:
    """Draw how well attributions explain ranks: correlations with intervals, by attribution.

    `explanation` is what the stage of that name measured, by system; `systems` are all of the
    study.
    """
    of_systems = styles(systems)
    figure = new_figure(7, 2.8)
    axes = figure.subplots()
    for number, (system, found) in enumerate(explanation.items()):
        values, (colour, marker) = found.get("explains_rank", {}), of_systems[system]
        offset = 0.16 * (number - (len(explanation) - 1) / 2)
        bars(
            axes,
            [i + offset for i, name in enumerate(ATTRIBUTIONS) if name in values],
            [
                (values[name]["mean"], values[name]["low"], values[name]["high"])
                for name in ATTRIBUTIONS
                if name in values
            ],
            fmt=marker,
            color=colour,
            label=shown(system),
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


def draw_question_bias(path: Path, curves: Sequence[Curve]) -> None:
    """Draw tables 4.2 and 4.3 of the thesis over sentences; ours solid, the published dashed.

    From the left: the training questions, then a panel for each system, in the curves' order.
    """
    known = dict.fromkeys(questions for _, _, questions, _ in curves)
    drawn = []  # title, measure, and the curves with their colours
    if TRAIN in known:
        drawn = [
            (f"{measure.capitalize()}, training questions", measure, {TRAIN: SERIES[0]})
            for measure in (OVERLAP, LOCATION)
        ]
    for name in (q.removeprefix(FOUND) for q in known if q.startswith(FOUND)):
        colours = {FOUND + name: SERIES[2], MISSED + name: SERIES[1]}
        drawn.append((f"Question overlap, dev questions, {name}", OVERLAP, colours))
    columns = max(1, len(drawn))  # an empty one where nothing was measured
    figure = new_figure(3.65 * columns, 3.8)
    panels = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    for panel, (title, what, colours) in zip(panels, drawn, strict=False):
        for source, measure, questions, values in curves:
            if measure != what or questions not in colours:
                continue
            ours = source == "ours"
            places = [i for i, value in enumerate(values, 1) if value is not None]
            panel.plot(
                places,
                [values[i - 1] for i in places],
                linestyle="-" if ours else "--",
                marker="o" if ours else "s",
                markersize=4.5,
                markerfacecolor=colours[questions] if ours else "white",
                color=colours[questions],
                linewidth=1.5,
                label=questions.removeprefix("dev, ") + ("" if ours else ", published (NQ)"),
            )
        panel.set_xlabel("sentence of the gold passage")
        plain(panel, "y", title)
        panel.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("%")
    panels[0].set_ylim(bottom=0)  # of all, and last: it ends the search for limits that fit
    save(figure, path)


def draw_words(path: Path, results: Results) -> None:
    """Draw a panel on coverage, a line for each test set, and one on vocabularies by length."""
    coverage, vocabulary = read_coverage(results), read_vocabulary(results)
    figure = new_figure(10.5, 1.5 + 0.27 * len(coverage))
    left, right = figure.subplots(1, 2)
    looks: dict[str, dict[str, Any]] = {
        key: {"marker": "o", "linestyle": "none", "color": colour, "label": words}
        for key, (colour, words) in WORDS.items()
    }
    looks["published"] = {"marker": "s", "label": "published", **HOLLOW}
    for key, style in looks.items():
        points = [(v[key], i) for i, v in enumerate(coverage.values()) if v[key] is not None]
        if points or key in WORDS:
            left.plot([value for value, _ in points], [i for _, i in points], **style)
    left.set_yticks(range(len(coverage)), [*coverage])
    left.set_ylim(max(1, len(coverage)) - 0.5, -0.5)
    left.set_xlabel("%")
    legend = left.get_legend_handles_labels()
    figure.legend(*legend, frameon=False, ncols=3, loc="outside lower left")

    for (name, values), colour in zip(vocabulary.items(), cycle(SERIES), strict=False):
        pairs = sorted((int(words), share) for words, share in values["by_words"].items())
        right.plot(*zip(*pairs, strict=True), marker="o", color=colour, label=f"main and {name}")
    if has_published_vocabulary(results.study):
        theirs, label = published.papers()["vocabulary"], f"published: {PUBLISHED_COLLECTION}"
        right.plot([theirs["words"]], [theirs["overlap"]], marker="s", label=label, **HOLLOW)
    right.set_xscale("log")
    right.set_ylim(bottom=0)
    right.set_xlabel("words in either list")
    right.set_ylabel("%")
    if right.lines:
        right.legend(frameon=False, fontsize=8)
    plain(left, "x", "Words of questions in their gold passage")
    plain(right, "y", "Overlap of the most frequent words")
    save(figure, path)
