"""The picture of accuracy, and the tables behind `dvc plots show`, one for each plot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ecqg import paths
from ecqg.attention.positions import HISTOGRAM
from ecqg.palette import styles
from ecqg.report import published
from ecqg.report.measured import (
    LOCATION,
    OVERLAP,
    PUBLISHED_COLLECTION,
    by_sentence,
    has_published_vocabulary,
    of_analysed,
    read_coverage,
    read_position,
    read_vocabulary,
)
from ecqg.report.names import first_stages, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.pictures import draw_accuracy
from ecqg.report.results import Results, Study
from ecqg.tables import read_table, write_table

LOOKS = ("system", "name", "place", "colour")
Looks = dict[str, list[object]]  # how a plot shows each system: LOOKS
ACCURACY_COLUMNS = (*LOOKS, "test_set", "k", "accuracy", "low", "high")
ENTROPY_COLUMNS = (*LOOKS, "entropy", "low", "high")
SENTENCE_COLUMNS = ("sentence", "density", "share", "passages")
POSITION_COLUMNS = ("sentence", "question_overlap", "answer_location", "answer_start")
ANSWER_COLUMNS = ("step", "sentence", "questions", "percent")
LOSS_COLUMNS = ("run", "step", "loss")
CURVE_COLUMNS = ("source", "measure", "questions", "sentence", "percent")
COVERAGE_COLUMNS = ("source", "test_set", "words", "coverage")
VOCABULARY_COLUMNS = ("source", "collection", "words", "overlap")
TRAIN = "gold train"
LEAST = 20  # questions that a mean of table 4.3 is over in a picture


def write_plots(results: Results, confidence: float) -> None:
    """Write the tables, the papers' rows marked as such, and the picture.

    `confidence` is the level of the intervals that it shows.
    """
    study, of_systems = results.study, styles(results.study.systems)
    looks: Looks = {
        system: [system, shown(system), place, of_systems[system].colour]
        for place, system in enumerate(study.systems, 1)
    }
    header = ("system", *SENTENCE_COLUMNS)
    attention = _stacked(results.attention, paths.attention_by_sentence, header)
    sentences = ([*looks[system], *cells] for system, _, *cells in attention)
    # Of the first question set that is about entities: all are of the same attention.
    tables = (read_table(paths.entity_positions(name), HISTOGRAM) for name in study.asked)
    entities = ([*row.values()] for row in next(filter(None, tables), []))
    positions = (
        [sentence, *(row[name] for name in POSITION_COLUMNS[1:])]
        for sentence, row in enumerate(read_position(), 1)
    )
    answers = _stacked(study.asked, paths.answer_positions, ANSWER_COLUMNS)
    trainings = [  # in the order of the study; a model that is not trained has no losses
        "init-encoder",
        *(f"pretrain-{name}" for name in study.pretrained),
        *(f"finetune-{system}" for system in study.dense),
        "init-generator",
        *(f"generator-{kind}" for kind in study.generators),
        *("reader", "reranker"),
    ]
    losses = _stacked(trainings, paths.loss_curve, LOSS_COLUMNS)
    write_table(paths.ACCURACY_PLOT, ACCURACY_COLUMNS, _accuracies(results, looks))
    write_table(paths.ENTROPY_PLOT, ENTROPY_COLUMNS, _entropies(results, looks))
    write_table(paths.BY_SENTENCE_PLOT, (*LOOKS, *SENTENCE_COLUMNS), sentences)
    write_table(paths.ENTITY_POSITION_PLOT, HISTOGRAM, entities)
    write_table(paths.QUESTION_POSITION_PLOT, POSITION_COLUMNS, positions)
    write_table(paths.ANSWER_POSITION_PLOT, ("question_set", *ANSWER_COLUMNS), answers)
    write_table(paths.QUESTION_OVERLAP_PLOT, CURVE_COLUMNS, _curves(study))
    write_table(paths.COVERAGE_PLOT, COVERAGE_COLUMNS, _coverage(results))
    write_table(paths.VOCABULARY_PLOT, VOCABULARY_COLUMNS, _vocabulary(results))
    write_table(paths.LOSS_PLOT, ("training", *LOSS_COLUMNS), losses)
    draw_accuracy(paths.ACCURACY_PICTURE, results, confidence)


def _accuracies(results: Results, looks: Looks) -> Iterator[list[object]]:
    """Percent, with the bounds of the interval."""
    columns = ["system", "name", "k", "value", "low", "high"]
    rows = results.numbers[results.numbers.metric == ACCURACY]
    rows = rows[rows.system.isin(first_stages(looks))]
    for system, name, k, *values in rows[columns].itertuples(index=False):
        yield [*looks[system], name, k, *(f"{value:.4f}" for value in values)]


def _entropies(results: Results, looks: Looks) -> Iterator[list[object]]:
    """Mean attention entropy of each dual encoder, in nats, with the bounds of its interval."""
    for system, measures in results.attention.items():
        bounds = results.intervals.get(system, {}).get("entropy", (None, None))
        yield [*looks[system], measures["entropy"], *bounds]


def _stacked(
    names: Iterable[str], file: Callable[[str], Path], columns: Sequence[str]
) -> Iterator[list[str]]:
    """The tables of all names in one, each row behind the name."""
    for name in names:
        for row in read_table(file(name), columns):
            yield [name, *row.values()]


def _curves(study: Study) -> Iterator[list[object]]:
    """Rows of CURVE_COLUMNS: tables 4.2 and 4.3 of the thesis, of the latter no means over too few.

    The published ones follow where the study's questions are those of Natural Questions. A mean
    over no questions has no row.
    """
    measures = {"question_overlap": OVERLAP, "answer_location": LOCATION}
    found: list[tuple[str, str, str, Sequence[float | None]]] = []
    if sentences := read_position():
        for key, measure in measures.items():
            found.append(("ours", measure, TRAIN, [row[key] for row in sentences]))
    for system, values in of_analysed(study, paths.OVERLAP).items():
        for part in ("found", "missed"):
            shares = [
                row[part] if (row[f"{part}_questions"] or 0) >= LEAST else None
                for row in by_sentence(values)
            ]
            found.append(("ours", OVERLAP, f"dev, {part} by {shown(system)}", shares))
    if study.on_published_data:
        theirs = published.papers()["question_bias"]
        columns = [(key, measure, TRAIN) for key, measure in measures.items()]
        columns += [(part, OVERLAP, f"dev, {part} by DPR") for part in ("found", "missed")]
        found += [("published", measure, of, theirs[key]) for key, measure, of in columns]
    for *what, percents in found:
        for sentence, percent in enumerate(percents, 1):
            if percent is not None:
                yield [*what, sentence, f"{percent:.4f}"]


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
