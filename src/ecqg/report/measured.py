"""What the papers' smaller analyses measured of a run, read back for tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.report import published
from ecqg.report.results import Results, Study
from ecqg.tables import read_values

ATTRIBUTIONS = {
    "attention": "[CLS] attention",
    "gradient": "gradient x input",
    "left_out": "leave one out",
    "early": "stands early in the text",
}
GOLD = {"gold_train": "gold, train", "gold_dev": "gold, dev"}  # whose passages are known
OVERLAP, LOCATION = "question overlap", "answer location"
PUBLISHED_COLLECTION = "Wikipedia and PubMed"


def of_analysed(study: Study, file: Path) -> dict[str, dict[str, Any]]:
    """What a table, of EXPLANATION or OVERLAP (table 4.3), has of each of analysis.systems."""
    found = read_file(file)
    return {system: found[system] for system in study.analysed if system in found}


def read_position() -> list[dict[str, float | None]]:
    """Table 4.2 of the thesis by sentence, of the main gold set."""
    return list(read_file(paths.gold_metrics()).get("position", {}).values())


def by_sentence(overlap: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of table 4.3 of one system."""
    return [row for key, row in overlap.items() if key.startswith("sentence_")]


def read_coverage(results: Results) -> dict[str, dict[str, Any]]:
    """Coverage by test set, of gold questions and of the study's sets.

    `whose` says where the gold passage comes from, `published` what the papers have of the set.
    """
    found: dict[str, dict[str, Any]] = {}
    theirs = published.papers()["coverage"]
    for collection in results.study.collections:
        for name, values in read_file(paths.coverage_metrics(collection)).items():
            if name in GOLD or name in results.test_sets:
                known = name in GOLD or values["judged"]
                found[GOLD.get(name, name)] = values | {
                    "whose": "recorded" if known else "BM25's first",
                    "published": theirs.get(results.study.counterpart(name)),
                }
    return found


def read_vocabulary(results: Results) -> dict[str, dict[str, Any]]:
    """Overlap with the main collection by other collection."""
    others = (name for name in results.study.collections if name != paths.MAIN)
    found = {name: read_file(paths.vocabulary_metrics(name)) for name in others}
    return {name: values for name, values in found.items() if values}


def has_published_vocabulary(study: Study) -> bool:
    """Whether the main collection and another one are the papers' Wikipedia and PubMed."""
    others = {*study.test_sets}.difference(study.collections.get(paths.MAIN, ()))
    return study.on_published_data and "BioASQ" in map(study.published.get, others)


def read_file(file: Path) -> dict[str, Any]:
    """A table of values; empty where the stage that writes it did not run."""
    return read_values(file) if file.is_file() else {}
