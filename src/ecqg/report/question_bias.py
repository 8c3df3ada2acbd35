"""Where questions overlap with their gold passages, ours and the thesis's (tabs. 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ecqg import paths
from ecqg.report import published_analyses as published
from ecqg.report.layout import Row, Table
from ecqg.report.results import SYSTEMS, Study
from ecqg.tables import read_values

COLUMNS = ("source", "measure", "questions", "sentence", "percent")
OVERLAP, LOCATION = "question overlap", "answer location"
TRAIN = "gold train"
LEAST = 20  # questions that a mean of table 4.3 is over in a picture
Curve = tuple[str, str, str, list[float | None]]  # source, measure, questions, percent by sentence


def read_position() -> dict[str, Any]:
    """Table 4.2 as the stage `corpus` measures it; empty where it did not."""
    file = paths.CORPUS_METRICS
    position: dict[str, Any] = read_values(file).get("position", {}) if file.is_file() else {}
    return position


def read_overlap(study: Study) -> dict[str, dict[str, Any]]:
    """Table 4.3 by system, for those of analysis.systems."""
    found = read_values(paths.OVERLAP) if paths.OVERLAP.is_file() else {}
    return {s: found[s] for s in SYSTEMS if s in study.analysed and s in found}


def curves(study: Study) -> list[Curve]:
    """All columns of both tables, ours first; of table 4.3 no means over too few questions.

    The published ones are among them where the study's questions are those of Natural Questions.
    """
    found: list[Curve] = []
    position = list(read_position().values())
    for measure, key in ((OVERLAP, "question_overlap"), (LOCATION, "answer_location")):
        if position:
            found.append(("ours", measure, TRAIN, [row[key] for row in position]))
    for system, values in read_overlap(study).items():
        for part in ("found", "missed"):
            shares = [
                row[part] if (row[f"{part}_questions"] or 0) >= LEAST else None
                for row in _by_sentence(values)
            ]
            found.append(("ours", OVERLAP, f"dev, {part} by {SYSTEMS[system]}", shares))
    theirs: dict[tuple[str, str], Sequence[float]] = {
        (OVERLAP, TRAIN): published.QUESTION_OVERLAP,
        (LOCATION, TRAIN): published.ANSWER_LOCATION,
        (OVERLAP, "dev, found by DPR"): published.OVERLAP_FOUND,
        (OVERLAP, "dev, missed by DPR"): published.OVERLAP_MISSED,
    }
    if study.on_published_data:
        found += [("published", *which, list(values)) for which, values in theirs.items()]
    return found


def csv_rows(study: Study) -> Iterator[list[object]]:
    """Rows of COLUMNS; a mean over no questions has none."""
    for source, measure, questions, values in curves(study):
        for sentence, percent in enumerate(values, 1):
            if percent is not None:
                yield [source, measure, questions, sentence, f"{percent:.4f}"]


def position_table(study: Study) -> Table:
    """Table 4.2."""
    beside = study.on_published_data
    rows = []
    for i, row in enumerate(read_position().values()):
        cells = [str(i + 1), _percent(row["question_overlap"]), _percent(row["answer_location"])]
        if beside:
            theirs = [_at(published.QUESTION_OVERLAP, i), _at(published.ANSWER_LOCATION, i)]
            cells += map(_percent, theirs)
        rows.append(Row(cells))
    header = ["sentence", OVERLAP, LOCATION]
    notes = [
        "Question overlap: the share of a question's words, stop words aside, that stand in the "
        "sentence of its gold passage; answer location: the share of questions with an answer in "
        "it. Both over the questions whose passage has the sentence"
    ]
    if beside:
        header += [f"published {OVERLAP}", f"published {LOCATION}"]
        notes.append("Published: NQ, thesis tab. 4.2")
    return Table("Gold training questions by sentence of the passage (%)", header, rows, notes)


def split_table(study: Study) -> Table:
    """Table 4.3, with the difference that the thesis leaves to the reader."""
    found, beside = read_overlap(study), study.on_published_data
    header, depth = ["sentence"], 0
    for system, values in found.items():
        header += [f"{SYSTEMS[system]} found", "missed", "difference"]
        depth = values["depth"]
    rows = []
    for i, of_systems in enumerate(zip(*map(_by_sentence, found.values()), strict=True)):
        cells = [str(i + 1)]
        for row in of_systems:
            cells += [_percent(row["found"]), _percent(row["missed"]), _difference(row)]
        if beside:
            theirs = [_at(published.OVERLAP_FOUND, i), _at(published.OVERLAP_MISSED, i)]
            cells += map(_percent, theirs)
        rows.append(Row(cells))
    counts = "; ".join(
        f"{SYSTEMS[s]} finds {v['found']:.1f} % of {v['questions']}" for s, v in found.items()
    )
    means = {round(values["sentences_mean"], 1) for values in found.values()}
    notes = [
        f"Found: the gold passage is among the top {depth} ({counts}). The difference is found "
        "less missed, with its bootstrap interval. The gold passages have "
        f"{', '.join(map(str, sorted(means)))} sentences on average"
    ]
    if beside:
        header += ["published found", "published missed"]
        notes.append(
            "Published: DPR on NQ dev, thesis tab. 4.3, with "
            f"{published.SENTENCES_MEAN} sentences on average"
        )
    return Table("Question overlap by retrieval, gold dev questions (%)", header, rows, notes)


def _by_sentence(values: dict[str, Any]) -> list[dict[str, float | None]]:
    return [row for key, row in values.items() if key.startswith("sentence_")]


def _at(values: Sequence[float], i: int) -> float | None:
    return values[i] if i < len(values) else None


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _difference(row: dict[str, float | None]) -> str:
    if row["difference"] is None:
        return ""
    return f"{row['difference']:+.1f} [{row['low']:+.1f}, {row['high']:+.1f}]"
