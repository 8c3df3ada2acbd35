"""Coverage of questions and overlap of vocabularies as a picture: ours filled, published hollow."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from ecqg.report import published_analyses as published
from ecqg.report.figure import new_figure, plain, save
from ecqg.report.published import counterpart
from ecqg.report.word_tables import PUBLISHED_COLLECTION, read_coverage, read_vocabulary

KINDS = {"words": ("#0072B2", "all words"), "content_words": ("#D55E00", "without stop words")}
COLOURS = ("#0072B2", "#009E73", "#D55E00", "#CC79A7", "#E69F00")  # of collections, in order


def draw_words(path: Path, test_sets: Container[str]) -> None:
    """Draw a panel on coverage, a line for each test set, and one on vocabularies by length."""
    coverage, vocabulary = read_coverage(test_sets), read_vocabulary(test_sets)
    shown = {counterpart(name) for name in coverage}
    rows = [*coverage, *(name for name in published.COVERAGE if name not in shown)]
    figure = new_figure(10.5, 1.5 + 0.27 * len(rows))
    left, right = figure.subplots(1, 2)
    for key, (colour, words) in KINDS.items():
        points = [(values[key], i) for i, values in enumerate(coverage.values())]
        known = [(value, i) for value, i in points if value is not None]
        left.plot([v for v, _ in known], [i for _, i in known], "o", color=colour, label=words)
    theirs = [
        (published.COVERAGE[name], i)
        for i, row in enumerate(rows)
        if (name := counterpart(row) or row) in published.COVERAGE
    ]
    hollow = {"color": "0.35", "markerfacecolor": "white", "linestyle": "none"}
    left.plot(
        [v for v, _ in theirs], [i for _, i in theirs], marker="s", label="published", **hollow
    )
    left.set_yticks(range(len(rows)), rows)
    left.set_ylim(len(rows) - 0.5, -0.5)
    left.set_title("Words of questions in their gold passage", fontsize=10, loc="left")
    left.set_xlabel("%")
    legend = left.get_legend_handles_labels()
    figure.legend(*legend, frameon=False, ncols=3, loc="outside lower left")

    for (name, values), colour in zip(vocabulary.items(), COLOURS, strict=False):
        pairs = sorted((int(words), share) for words, share in values["by_words"].items())
        right.plot(
            [words for words, _ in pairs],
            [share for _, share in pairs],
            marker="o",
            color=colour,
            label=f"main and {name}",
        )
    length, share = published.VOCABULARY_WORDS, published.VOCABULARY_OVERLAP
    label = f"published: {PUBLISHED_COLLECTION}"
    right.plot([length], [share], marker="s", label=label, **hollow)
    right.set_xscale("log")
    right.set_ylim(bottom=0)
    right.set_title("Overlap of the most frequent words", fontsize=10, loc="left")
    right.set_xlabel("words in either list")
    right.set_ylabel("%")
    right.legend(frameon=False, fontsize=8)
    plain(left, "x")
    plain(right, "y")
    save(figure, path)
