"""What the papers' smaller analyses measured of a run, read back for tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.report import published
from ecqg.report.names import shown
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
TRAIN = "gold train"
LEAST = 20  # questions that a mean of table 4.3 is over in a picture
PUBLISHED_COLLECTION = "Wikipedia and PubMed"
Curve = tuple[str, str, str, list[float | None]]  # source, measure, questions, percent by sentence


def read_explanation(study: Study) -> dict[str, Any]:
    """What the stage `explanation` measured, by system; empty where it did not run."""
    found = read_file(paths.EXPLANATION)
    return {system: found[system] for system in study.analysed if system in found}


def read_position() -> list[dict[str, float | None]]:
    """Table 4.2 of the thesis by sentence, of the main gold set."""
    return list(read_file(paths.gold_metrics()).get("position", {}).values())


def read_overlap(study: Study) -> dict[str, dict[str, Any]]:
    """Table 4.3 by system, for those of analysis.systems."""
    found = read_file(paths.OVERLAP)
    return {system: found[system] for system in study.analysed if system in found}


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
            known = name in GOLD or values["judged"]
            title = GOLD.get(name, name)
            if name in GOLD or name in results.test_sets:
                found[title] = values | {
                    "whose": "recorded" if known else "BM25's first",
                    "published": theirs.get(results.study.counterpart(name)),
                }
    return found


def read_vocabulary(results: Results) -> dict[str, dict[str, Any]]:
    """Overlap with the main collection by other collection."""
    found = {name: read_file(paths.vocabulary_metrics(name)) for name in results.study.others}
    return {name: values for name, values in found.items() if values}


def has_published_vocabulary(study: Study) -> bool:
    """Whether the main collection and another one are the papers' Wikipedia and PubMed."""
    asked = (name for other in study.others for name in study.collections[other])
    return study.on_published_data and "BioASQ" in map(study.published.get, asked)


def curves(study: Study) -> list[Curve]:
    """All columns of tables 4.2 and 4.3, ours first; of 4.3 no means over too few questions.

    The published ones are among them where the study's questions are those of Natural Questions.
    """
    found: list[Curve] = []
    if sentences := read_position():
        for measure, key in ((OVERLAP, "question_overlap"), (LOCATION, "answer_location")):
            found.append(("ours", measure, TRAIN, [row[key] for row in sentences]))
    for system, values in read_overlap(study).items():
        for part in ("found", "missed"):
            shares = [
                row[part] if (row[f"{part}_questions"] or 0) >= LEAST else None
                for row in by_sentence(values)
            ]
            found.append(("ours", OVERLAP, f"dev, {part} by {shown(system)}", shares))
    if study.on_published_data:
        theirs = published.papers()["question_bias"]
        for key, measure, questions in (
            ("question_overlap", OVERLAP, TRAIN),
            ("answer_location", LOCATION, TRAIN),
            ("found", OVERLAP, "dev, found by DPR"),
            ("missed", OVERLAP, "dev, missed by DPR"),
        ):
            found.append(("published", measure, questions, theirs[key]))
    return found


def read_file(file: Path) -> dict[str, Any]:
    """A table of values; empty where the stage that writes it did not run."""
    return read_values(file) if file.is_file() else {}
