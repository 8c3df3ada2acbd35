"""Coverage of questions and overlap of vocabularies as a picture: ours filled, published hollow."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

from ecqg.palette import REFERENCE, SERIES
from ecqg.report import published
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.measured import (
    PUBLISHED_COLLECTION,
    has_published_vocabulary,
    read_coverage,
    read_vocabulary,
)
from ecqg.report.results import Results

KINDS = {"words": (SERIES[0], "all words"), "content_words": (SERIES[1], "without stop words")}


def draw_words(path: Path, results: Results) -> None:
    """Draw a panel on coverage, a line for each test set, and one on vocabularies by length."""
    coverage, vocabulary = read_coverage(results), read_vocabulary(results)
    rows = [*coverage]
    figure = new_figure(10.5, 1.5 + 0.27 * len(rows))
    left, right = figure.subplots(1, 2)
    hollow = {"color": REFERENCE, "markerfacecolor": "white", "linestyle": "none"}
    styles = {
        key: {"marker": "o", "linestyle": "none", "color": c, "label": words}
        for key, (c, words) in KINDS.items()
    }
    styles["published"] = {"marker": "s", "label": "published", **hollow}
    for key, style in styles.items():
        points = [(v[key], i) for i, v in enumerate(coverage.values()) if v[key] is not None]
        if points or key in KINDS:
            left.plot([value for value, _ in points], [i for _, i in points], **style)
    left.set_yticks(range(len(rows)), rows)
    left.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    left.set_title("Words of questions in their gold passage", fontsize=10, loc="left")
    left.set_xlabel("%")
    legend = left.get_legend_handles_labels()
    figure.legend(*legend, frameon=False, ncols=3, loc="outside lower left")

    for (name, values), colour in zip(vocabulary.items(), cycle(SERIES), strict=False):
        pairs = sorted((int(words), share) for words, share in values["by_words"].items())
        right.plot(
            [words for words, _ in pairs],
            [share for _, share in pairs],
            marker="o",
            color=colour,
            label=f"main and {name}",
        )
    if has_published_vocabulary(results.study):
        theirs, label = published.papers()["vocabulary"], f"published: {PUBLISHED_COLLECTION}"
        right.plot([theirs["words"]], [theirs["overlap"]], marker="s", label=label, **hollow)
    right.set_xscale("log")
    right.set_ylim(bottom=0)
    right.set_title("Overlap of the most frequent words", fontsize=10, loc="left")
    right.set_xlabel("words in either list")
    right.set_ylabel("%")
    if right.lines:
        right.legend(frameon=False, fontsize=8)
    plain(left, "x")
    plain(right, "y")
    save(figure, path)
