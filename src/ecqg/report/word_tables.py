"""Coverage of questions and overlap of vocabularies, ours and the AugDPR paper's (sec. 4.2)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.evaluation.test_sets import label
from ecqg.files import read_json
from ecqg.report import published_analyses as published
from ecqg.report.layout import Row, Table
from ecqg.report.published import counterpart

COVERAGE_COLUMNS = ("source", "test_set", "words", "coverage")
VOCABULARY_COLUMNS = ("source", "collection", "words", "overlap")
GOLD = {"gold_train": "gold, train", "gold_dev": "gold, dev"}  # whose passages are known
PUBLISHED_COLLECTION = "Wikipedia and PubMed"


def read_coverage(test_sets: Container[str]) -> dict[str, dict[str, Any]]:
    """Coverage by test set, of gold questions and of those in `test_sets`, named by `label`."""
    found: dict[str, dict[str, Any]] = {}
    for collection, file in _by_collection(paths.coverage_metrics()):
        for name, values in read_json(file)[collection].items():
            shown = GOLD.get(name) or label(name, collection)
            if name in GOLD or shown in test_sets:
                found[shown] = values
    return found


def read_vocabulary(test_sets: Container[str]) -> dict[str, dict[str, Any]]:
    """Overlap with the main collection by zero-shot collection, if it has one of `test_sets`."""
    coverage = _by_collection(paths.coverage_metrics())
    asked = {c for c, file in coverage if any(label(n, c) in test_sets for n in read_json(file)[c])}
    files = _by_collection(paths.vocabulary_metrics(paths.MAIN))
    return {c: read_json(file)[c] for c, file in files if c in asked}


def coverage_table(test_sets: Container[str]) -> Table:
    """Ours, with the published figure where there is a counterpart, and the published ones left."""
    rows, shown = [], set()
    for name, values in read_coverage(test_sets).items():
        theirs = counterpart(name) or ""
        shown.add(theirs)
        cells = [name, str(values["questions"]), _whose(name, values)]
        cells += [_percent(values["words"]), _percent(values["content_words"])]
        figure = _published(theirs)
        rows.append(Row([*cells, f"{theirs}: {figure}" if figure else ""]))
    rows += [
        Row([f"published: {name}", "", "", "", "", _published(name)], True)
        for name in published.COVERAGE
        if name not in shown
    ]
    notes = [
        "Mean share of a question's words that stand in its gold passage or the title; over the "
        "passages that are judged relevant, if there are several. Where none is recorded it is the "
        "first passage in BM25's order that holds an answer. Questions without a passage are left "
        "out. Published: AugDPR paper, sec. 4.2, which does not say whether stop words count"
    ]
    header = ["questions", "number", "gold passage", "all words", "without stop words", "published"]
    return Table("Coverage of questions by their gold passage (%)", header, rows, notes)


def vocabulary_table(test_sets: Container[str]) -> Table:
    """Ours by zero-shot collection, then the published figure."""
    rows = []
    for name, values in read_vocabulary(test_sets).items():
        shorter = " · ".join(
            f"{int(words):,}: {overlap:.1f}"
            for words, overlap in values["by_words"].items()
            if int(words) != values["words"]
        )
        counts = [f"{values['main_passages']:,} and {values['passages']:,}", f"{values['words']:,}"]
        rows.append(Row([f"main and {name}", *counts, _percent(values["overlap"]), shorter]))
    passages = f"{published.VOCABULARY_PASSAGES:,} each"
    theirs = [passages, f"{published.VOCABULARY_WORDS:,}", _percent(published.VOCABULARY_OVERLAP)]
    none = [] if rows else ["This run has no zero-shot collection to compare with"]
    rows.append(Row([f"published: {PUBLISHED_COLLECTION}", *theirs, ""], True))
    notes = [
        "The most frequent words of either collection, stop words aside, that both lists have. "
        "Published: AugDPR paper, sec. 4.2",
        *none,
    ]
    header = ["collections", "passages", "words", "overlap", "of shorter lists"]
    return Table("Overlap of vocabularies (%)", header, rows, notes)


def coverage_rows(test_sets: Container[str]) -> Iterator[list[object]]:
    """Rows of COVERAGE_COLUMNS; `words` says which words count."""
    for name, values in read_coverage(test_sets).items():
        for which, key in (("all", "words"), ("no stop words", "content_words")):
            if values[key] is not None:
                yield ["ours", name, which, f"{values[key]:.4f}"]
    for name, percent in published.COVERAGE.items():
        yield ["published", name, "not said", f"{percent:.4f}"]


def vocabulary_rows(test_sets: Container[str]) -> Iterator[list[object]]:
    """Rows of VOCABULARY_COLUMNS; `words` is the length of the lists."""
    for name, values in read_vocabulary(test_sets).items():
        for words, overlap in values["by_words"].items():
            yield ["ours", name, words, f"{overlap:.4f}"]
    theirs = [published.VOCABULARY_WORDS, f"{published.VOCABULARY_OVERLAP:.4f}"]
    yield ["published", PUBLISHED_COLLECTION, *theirs]


def _by_collection(of_main: Path) -> list[tuple[str, Path]]:
    """Files of a kind by collection, main first, the others by name; those that exist."""
    files = sorted(of_main.parent.glob("*.json"), key=lambda f: (f.stem != paths.MAIN, f.stem))
    return [(file.stem, file) for file in files]


def _whose(name: str, values: dict[str, Any]) -> str:
    """Where the gold passage comes from."""
    return "recorded" if name in GOLD.values() or values["judged"] else "BM25's first"


def _published(name: str) -> str:
    return _percent(published.COVERAGE.get(name))


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
