"""Coverage of questions and overlap of vocabularies as a picture: ours filled, published hollow."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

from ecqg.palette import REFERENCE, SERIES
from ecqg.report import published_analyses as published
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.results import Results
from ecqg.report.word_tables import (
    PUBLISHED_COLLECTION,
    has_published_vocabulary,
    published_coverage,
    read_coverage,
    read_vocabulary,
)

KINDS = {"words": (SERIES[0], "all words"), "content_words": (SERIES[1], "without stop words")}


def draw_words(path: Path, results: Results) -> None:
    """Draw a panel on coverage, a line for each test set, and one on vocabularies by length."""
    coverage, vocabulary = read_coverage(results), read_vocabulary(results)
    rows = [*coverage]
    figure = new_figure(10.5, 1.5 + 0.27 * len(rows))
    left, right = figure.subplots(1, 2)
    for key, (colour, words) in KINDS.items():
        points = [(values[key], i) for i, values in enumerate(coverage.values())]
        known = [(value, i) for value, i in points if value is not None]
        left.plot([v for v, _ in known], [i for _, i in known], "o", color=colour, label=words)
    theirs = [
        (percent, i)
        for i, row in enumerate(rows)
        if (percent := published_coverage(results, row)) is not None
    ]
    hollow = {"color": REFERENCE, "markerfacecolor": "white", "linestyle": "none"}
    if theirs:
        percents, places = zip(*theirs, strict=True)
        left.plot(percents, places, marker="s", label="published", **hollow)
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
    if has_published_vocabulary(results):
        length, share = published.VOCABULARY_WORDS, published.VOCABULARY_OVERLAP
        label = f"published: {PUBLISHED_COLLECTION}"
        right.plot([length], [share], marker="s", label=label, **hollow)
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
