"""Entities by attention, ours and the SIGIR paper's (sec. 2), and what attention explains."""

from __future__ import annotations

from typing import Any

from ecqg import paths
from ecqg.report import published_analyses as published
from ecqg.report.layout import Row, Table
from ecqg.report.results import SYSTEMS, Results, Study, shown
from ecqg.tables import read_values

ATTRIBUTIONS = {
    "attention": "[CLS] attention",
    "gradient": "gradient x input",
    "left_out": "leave one out",
    "early": "stands early in the text",
}


def read_explanation(study: Study) -> dict[str, Any]:
    """What the stage `explanation` measured, by system; empty where it did not run."""
    file = paths.EXPLANATION
    found = read_values(file) if file.is_file() else {}
    return {system: found[system] for system in study.analysed if system in found}


def position_table(results: Results) -> Table:
    """Where the entities lie that each system attends to most and least."""
    measures = ("highest_first_half", "lowest_second_half", "all_first_half")
    rows = [
        Row([shown(system), *(_share(values, m) for m in measures)])
        for system, values in results.attention.items()
        if all(m in values for m in measures)
    ]
    notes = ["Percent of passages [bootstrap interval]"]
    if rows and results.study.on_published_data:
        theirs = [f"{share:.0f}" for share in published.ENTITY_POSITIONS]
        rows.append(Row(["published: DPR", *theirs, ""], True))
        notes.append("Published: over 20,000 passages, SIGIR sec. 2")
    header = ["system", "highest in the first half", "lowest in the second half", "any entity"]
    return Table("Highest- and lowest-attended entity of a passage (%)", [*header], rows, notes)


def _share(values: dict[str, Any], measure: str) -> str:
    bounds = values.get("interval", {}).get(measure)
    interval = f" [{bounds['low']:.1f}, {bounds['high']:.1f}]" if bounds else ""
    return f"{values[measure]:.1f}{interval}"


def score_table(results: Results) -> Table:
    """Scores of questions about either entity."""
    rows = []
    explained = read_explanation(results.study)
    for system, found in explained.items():
        rows.append(_scores(f"{SYSTEMS[system]}, by its own attention", found["extremes"]))
        if "same_questions" in found:
            reference = next(iter(explained))
            about = f"{SYSTEMS[system]}, the entities by {SYSTEMS[reference]}'s attention"
            rows.append(_scores(about, found["same_questions"]))
    beside = results.study.on_published_data
    if rows and beside:
        high, low = published.ENTITY_SCORES
        rows.append(
            Row(["published: DPR", str(high), str(low), f"{high - low:+.1f}", *[""] * 3], True)
        )
    header = ["system", "highest", "lowest", "difference", "p", "top-1: highest", "lowest"]
    notes = [
        "Mean score of a generated question about the entity with its passage, over the same "
        "passages, with the bootstrap interval of the difference and the paired t-test's p. "
        "Top-1: percent of these questions that find the passage first. Scores of two systems are "
        "not on one scale",
        *_naming(),
    ]
    if beside:
        notes.append("Published: SIGIR sec. 2, on a scale of its own")
    return Table("Questions about the highest- and the lowest-attended entity", header, rows, notes)


def _naming() -> list[str]:
    """How far the questions can be trusted to be about their entity."""
    file = paths.generation_metrics("conditioned")
    share = read_values(file).get("entity_in_question") if file.is_file() else None
    if share is None:
        return []
    return [f"The questions are not filtered: {share:.1f} % of conditioned ones name their entity"]


def explanation_table(results: Results) -> Table:
    """How attributions of entities go with the rank of questions about them."""
    found = read_explanation(results.study)
    rows = []
    for name, words in ATTRIBUTIONS.items():
        cells = [_correlation(values["explains_rank"].get(name)) for values in found.values()]
        if any(cells):
            rows.append(Row([words, *cells]))
    for name, words in ATTRIBUTIONS.items():
        less = [
            values["explains_rank"].get(name, {}).get("attention_less") for values in found.values()
        ]
        if any(less):
            rows.append(Row([f"attention less {words}", *map(_correlation, less)]))
    notes = [
        "Spearman's correlation, within each passage, between the attribution of an entity and how "
        "well a question about it finds the passage (+1: the higher, the better found); mean over "
        "passages with its bootstrap interval. Starred: attention and the other attribution differ "
        "over the passages that have both, p < 0.05 by the paired t-test. No paper has it"
    ]
    header = ["attribution", *(SYSTEMS[system] for system in found)]
    return Table("Does attention explain retrieval?", header, rows, notes)


def _scores(name: str, found: dict[str, Any]) -> Row:
    high, low, gap = found["highest"], found["lowest"], found["difference"]
    return Row(
        [
            f"{name} ({found['passages']} passages)",
            f"{high['score']:.2f}",
            f"{low['score']:.2f}",
            f"{gap['score']:+.2f} [{gap['low']:+.2f}, {gap['high']:+.2f}]",
            "< 0.001" if gap["p"] < 0.0005 else f"{gap['p']:.3f}",
            f"{high['top1']:.1f}",
            f"{low['top1']:.1f}",
        ]
    )


def _correlation(values: dict[str, Any] | None) -> str:
    if not values:
        return ""
    bounds = f"[{values['low']:+.3f}, {values['high']:+.3f}]"
    star = "*" if values.get("p", 1) < 0.05 else ""
    return f"{values['mean']:+.3f} {bounds}{star} ({values['passages']})"
