"""The section of the page on the papers' smaller analyses, and the tables behind their plots."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from ecqg import paths
from ecqg.files import atomic, read_json
from ecqg.report import entity_tables, question_bias, word_tables
from ecqg.report import published_analyses as published
from ecqg.report.attention_picture import draw_attention
from ecqg.report.data_table import samples_table, sizes_table
from ecqg.report.explanation_picture import draw_explanation
from ecqg.report.layout import Row, Table
from ecqg.report.markdown import picture, relative, render
from ecqg.report.question_bias_picture import draw_question_bias
from ecqg.report.results import SYSTEMS, Results
from ecqg.report.word_picture import draw_words

ATTENTION = "Attention by system, ours filled, with intervals where measured, published hollow"
PICTURE = (
    "Question overlap and answer location by sentence, ours and published; means over fewer than "
    f"{question_bias.LEAST} questions are left out"
)
WORDS = "Coverage of questions and overlap of vocabularies, ours and published"
EXPLANATION = "What goes with how well questions about an entity find its passage"
EXAMPLES = (
    "Tables 1 and 2 of the SIGIR paper show one passage chosen by hand. Passages chosen by a rule, "
    "their entities by attention, and their questions with scores, those of AugDPR's generator "
    "(fig. 1 of its paper) among them: [{markdown}]({link}), with shading in a browser `{html}`."
)


def render_analyses(results: Results) -> str:
    """Markdown; tables without rows are left out."""
    explained = entity_tables.read_explanation()
    tables = [
        sizes_table(results),
        samples_table(results),
        question_bias.position_table(),
        question_bias.split_table(),
        word_tables.coverage_table(results.test_sets),
        word_tables.vocabulary_table(results.test_sets),
    ]
    of_entities = [
        entity_tables.position_table(results),
        entity_tables.score_table(),
        entity_tables.explanation_table(),
    ]
    parts = [picture(paths.ATTENTION_PICTURE, ATTENTION)] if results.attention else []
    parts += ["## Entities by attention"] if any(table.rows for table in of_entities) else []
    parts += [render(table) for table in of_entities if table.rows]
    if explained:
        parts.append(picture(paths.EXPLANATION_PICTURE, EXPLANATION))
    parts.append("## Questions, passages and vocabularies")
    parts += [render(table) for table in tables if table.rows]
    parts.append(picture(paths.QUESTION_OVERLAP_PICTURE, PICTURE))
    parts.append(picture(paths.WORDS_PICTURE, WORDS))
    if paths.EXAMPLE_METRICS.is_file():
        parts += ["## Examples", _examples_text(), render(_examples_table())]
    return "\n\n".join(parts)


def write_analysis_plots(results: Results, confidence: float) -> None:
    """Write the pictures and one CSV for each plot, published rows marked as such."""
    explained = entity_tables.read_explanation()
    draw_attention(paths.ATTENTION_PICTURE, results, explained)
    if explained:
        draw_explanation(paths.EXPLANATION_PICTURE, explained, confidence)
    draw_words(paths.WORDS_PICTURE, results.test_sets)
    draw_question_bias(paths.QUESTION_OVERLAP_PICTURE, question_bias.curves())
    sets = results.test_sets
    overlap = (question_bias.COLUMNS, question_bias.csv_rows())
    _write(paths.QUESTION_OVERLAP_PLOT, *overlap)
    _write(paths.COVERAGE_PLOT, word_tables.COVERAGE_COLUMNS, word_tables.coverage_rows(sets))
    _write(paths.VOCABULARY_PLOT, word_tables.VOCABULARY_COLUMNS, word_tables.vocabulary_rows(sets))


def _examples_text() -> str:
    markdown = paths.EXAMPLES_MARKDOWN
    return EXAMPLES.format(markdown=markdown, link=relative(markdown), html=paths.EXAMPLES_HTML)


def _examples_table() -> Table:
    metrics = read_json(paths.EXAMPLE_METRICS)
    means = {system: metrics[system] for system in SYSTEMS if system in metrics}
    rows = []
    for kind in dict.fromkeys(kind for of in means.values() for kind in of):
        theirs = f"{published.GOLD_SCORE}" if kind == "gold" else ""
        scores = [f"{of[kind]:.1f}" if kind in of else "" for of in means.values()]
        rows.append(Row([kind, *scores, theirs]))
    synthetic = " / ".join(str(score) for score in published.SYNTHETIC_SCORES)
    rows.append(Row(["published: three synthetic questions", *[""] * len(means), synthetic], True))
    notes = [
        f"Means over {metrics['questions']} questions about {metrics['passages']} passages. "
        "Published: DPR, SIGIR tab. 1, one passage; the last synthetic question is about its "
        "highest-attended entity. Scores are on a scale of each retriever's own: only those of one "
        "column can be compared"
    ]
    header = ["questions", *(SYSTEMS[system] for system in means), "published"]
    return Table("Scores of the example questions with their passages", header, rows, notes)


def _write(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
