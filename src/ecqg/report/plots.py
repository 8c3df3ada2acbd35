"""The pictures for people, and the tables behind `dvc plots show`, one for each plot."""

from __future__ import annotations

from collections.abc import Iterator

from ecqg import paths
from ecqg.report import published
from ecqg.report.attention_picture import draw_attention
from ecqg.report.explanation_picture import draw_explanation
from ecqg.report.measured import (
    PUBLISHED_COLLECTION,
    curves,
    has_published_vocabulary,
    read_coverage,
    read_explanation,
    read_vocabulary,
)
from ecqg.report.names import SYSTEMS
from ecqg.report.numbers import ACCURACY
from ecqg.report.picture import draw_accuracy
from ecqg.report.question_bias_picture import draw_question_bias
from ecqg.report.results import Results, Study
from ecqg.report.word_picture import draw_words
from ecqg.tables import read_table, write_table

ACCURACY_COLUMNS = ("system", "test_set", "k", "accuracy", "low", "high")
ENTROPY_COLUMNS = ("system", "entropy", "low", "high")
SENTENCE_COLUMNS = ("system", "sentence", "density", "share", "passages")
CURVE_COLUMNS = ("source", "measure", "questions", "sentence", "percent")
COVERAGE_COLUMNS = ("source", "test_set", "words", "coverage")
VOCABULARY_COLUMNS = ("source", "collection", "words", "overlap")


def write_plots(results: Results, confidence: float) -> None:
    """Write the tables, the papers' rows marked as such, and the pictures.

    `confidence` is the level of the intervals that they show.
    """
    study = results.study
    write_table(paths.ACCURACY_PLOT, ACCURACY_COLUMNS, _accuracies(results))
    write_table(paths.ENTROPY_PLOT, ENTROPY_COLUMNS, _entropies(results))
    write_table(paths.BY_SENTENCE_PLOT, SENTENCE_COLUMNS, _by_sentence(results))
    write_table(paths.QUESTION_OVERLAP_PLOT, CURVE_COLUMNS, _curves(study))
    write_table(paths.COVERAGE_PLOT, COVERAGE_COLUMNS, _coverage(results))
    write_table(paths.VOCABULARY_PLOT, VOCABULARY_COLUMNS, _vocabulary(results))
    explained = read_explanation(study)
    draw_accuracy(paths.ACCURACY_PICTURE, results, confidence)
    draw_attention(paths.ATTENTION_PICTURE, results, explained)
    if explained:
        draw_explanation(paths.EXPLANATION_PICTURE, explained, confidence)
    draw_words(paths.WORDS_PICTURE, results)
    draw_question_bias(paths.QUESTION_OVERLAP_PICTURE, curves(study))


def _accuracies(results: Results) -> Iterator[list[object]]:
    """Percent, with the bounds of the interval."""
    numbers = results.numbers
    rows = numbers[(numbers.metric == ACCURACY) & numbers.system.isin([*SYSTEMS])]
    for system, name, k, *values in rows[
        ["system", "name", "k", "value", "low", "high"]
    ].itertuples(index=False):
        yield [system, name, k, *(f"{value:.4f}" for value in values)]


def _entropies(results: Results) -> Iterator[list[object]]:
    """Mean attention entropy of each dual encoder, in nats, with the bounds of its interval."""
    for system, measures in results.attention.items():
        bounds = results.intervals.get(system, {}).get("entropy", (None, None))
        yield [system, measures["entropy"], *bounds]


def _by_sentence(results: Results) -> Iterator[list[object]]:
    """The systems' tables of attention by sentence in one."""
    for system in results.attention:
        for row in read_table(paths.attention_by_sentence(system), SENTENCE_COLUMNS):
            yield [*row.values()]


def _curves(study: Study) -> Iterator[list[object]]:
    """Rows of CURVE_COLUMNS; a mean over no questions has none."""
    for source, measure, questions, values in curves(study):
        for sentence, percent in enumerate(values, 1):
            if percent is not None:
                yield [source, measure, questions, sentence, f"{percent:.4f}"]


def _coverage(results: Results) -> Iterator[list[object]]:
    """Rows of COVERAGE_COLUMNS; `words` says which words count."""
    for name, values in read_coverage(results).items():
        for source, which, key in (
            ("ours", "all", "words"),
            ("ours", "no stop words", "content_words"),
            ("published", "not said", "published"),
        ):
            if values[key] is not None:
                yield [source, name, which, f"{values[key]:.4f}"]


def _vocabulary(results: Results) -> Iterator[list[object]]:
    """Rows of VOCABULARY_COLUMNS; `words` is the length of the lists."""
    for name, values in read_vocabulary(results).items():
        for words, overlap in values["by_words"].items():
            yield ["ours", name, words, f"{overlap:.4f}"]
    if has_published_vocabulary(results.study):
        theirs = published.papers()["vocabulary"]
        yield ["published", PUBLISHED_COLLECTION, theirs["words"], f"{theirs['overlap']:.4f}"]
