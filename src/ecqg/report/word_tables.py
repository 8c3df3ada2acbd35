"""Coverage of questions and overlap of vocabularies, ours and the AugDPR paper's (sec. 4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ecqg import paths
from ecqg.evaluation.test_sets import label
from ecqg.report import published_analyses as published
from ecqg.report.layout import Row, Table
from ecqg.report.results import Results
from ecqg.tables import read_values

COVERAGE_COLUMNS = ("source", "test_set", "words", "coverage")
VOCABULARY_COLUMNS = ("source", "collection", "words", "overlap")
GOLD = {"gold_train": "gold, train", "gold_dev": "gold, dev"}  # whose passages are known
PUBLISHED_COLLECTION = "Wikipedia and PubMed"


def read_coverage(results: Results) -> dict[str, dict[str, Any]]:
    """Coverage by test set, of gold questions and of the study's sets, named by `label`."""
    found: dict[str, dict[str, Any]] = {}
    for collection in (paths.MAIN, *results.study.zero_shot):
        file = paths.coverage_metrics(collection)
        for name, values in (read_values(file) if file.is_file() else {}).items():
            shown = GOLD.get(name) or label(name, collection)
            if name in GOLD or shown in results.test_sets:
                found[shown] = values
    return found


def read_vocabulary(results: Results) -> dict[str, dict[str, Any]]:
    """Overlap with the main collection by zero-shot collection."""
    files = {name: paths.vocabulary_metrics(name) for name in results.study.zero_shot}
    return {name: read_values(file) for name, file in files.items() if file.is_file()}


def coverage_table(results: Results) -> Table:
    """Ours, with what was published of the same test set."""
    rows = []
    for name, values in read_coverage(results).items():
        cells = [name, str(values["questions"]), _whose(name, values)]
        cells += [_percent(values["words"]), _percent(values["content_words"])]
        rows.append(Row([*cells, _percent(published_coverage(results, name))]))
    notes = [
        "Mean share of a question's words that stand in its gold passage or the title; over the "
        "passages that are judged relevant, if there are several. Where none is recorded it is the "
        "first passage in BM25's order that holds an answer. Questions without a passage are left "
        "out"
    ]
    header = ["questions", "number", "gold passage", "all words", "without stop words"]
    if any(row.cells[-1] for row in rows):
        header.append("published")
        notes.append("Published: AugDPR paper, sec. 4.2; it does not say whether stop words count")
    rows = [Row(row.cells[: len(header)]) for row in rows]
    return Table("Coverage of questions by their gold passage (%)", header, rows, notes)


def vocabulary_table(results: Results) -> Table:
    """Ours by zero-shot collection, and what was published where both are the papers' own."""
    rows = []
    for name, values in read_vocabulary(results).items():
        shorter = " · ".join(
            f"{int(words):,}: {overlap:.1f}"
            for words, overlap in values["by_words"].items()
            if int(words) != values["words"]
        )
        counts = [f"{values['main_passages']:,} and {values['passages']:,}", f"{values['words']:,}"]
        rows.append(Row([f"main and {name}", *counts, _percent(values["overlap"]), shorter]))
    notes = ["The most frequent words of either collection, stop words aside, that both lists have"]
    if has_published_vocabulary(results):
        passages = f"{published.VOCABULARY_PASSAGES:,} each"
        words, overlap = f"{published.VOCABULARY_WORDS:,}", published.VOCABULARY_OVERLAP
        theirs = [passages, words, _percent(overlap), ""]
        rows.append(Row([f"published: {PUBLISHED_COLLECTION}", *theirs], True))
        notes.append("Published: AugDPR paper, sec. 4.2")
    header = ["collections", "passages", "words", "overlap", "of shorter lists"]
    return Table("Overlap of vocabularies (%)", header, rows, notes)


def coverage_rows(results: Results) -> Iterator[list[object]]:
    """Rows of COVERAGE_COLUMNS; `words` says which words count."""
    for name, values in read_coverage(results).items():
        for which, key in (("all", "words"), ("no stop words", "content_words")):
            if values[key] is not None:
                yield ["ours", name, which, f"{values[key]:.4f}"]
        percent = published_coverage(results, name)
        if percent is not None:
            yield ["published", name, "not said", f"{percent:.4f}"]


def vocabulary_rows(results: Results) -> Iterator[list[object]]:
    """Rows of VOCABULARY_COLUMNS; `words` is the length of the lists."""
    for name, values in read_vocabulary(results).items():
        for words, overlap in values["by_words"].items():
            yield ["ours", name, words, f"{overlap:.4f}"]
    if has_published_vocabulary(results):
        theirs = [published.VOCABULARY_WORDS, f"{published.VOCABULARY_OVERLAP:.4f}"]
        yield ["published", PUBLISHED_COLLECTION, *theirs]


def published_coverage(results: Results, test_set: str) -> float | None:
    """What was published of this test set, or None."""
    return published.COVERAGE.get(results.study.counterpart(test_set) or "")


def has_published_vocabulary(results: Results) -> bool:
    """Whether the main collection and a zero-shot one are the papers' Wikipedia and PubMed."""
    study = results.study
    of_zero_shot = (study.published.get(name) for name in study.zero_shot)
    return study.on_published_data and "BioASQ" in of_zero_shot


def _whose(name: str, values: dict[str, Any]) -> str:
    """Where the gold passage comes from."""
    return "recorded" if name in GOLD.values() or values["judged"] else "BM25's first"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
