"""The section of the page on the papers' smaller analyses, and the tables behind their plots."""

from __future__ import annotations

from ecqg import paths
from ecqg.report import entity_tables, question_bias, word_tables
from ecqg.report import published_analyses as published
from ecqg.report.attention_picture import draw_attention
from ecqg.report.data_table import samples_table, sizes_table
from ecqg.report.explanation_picture import draw_explanation
from ecqg.report.layout import Row, Table
from ecqg.report.markdown import picture, relative, render
from ecqg.report.question_bias_picture import draw_question_bias
from ecqg.report.results import SYSTEMS, Results, Study
from ecqg.report.word_picture import draw_words
from ecqg.tables import read_values, write_table

ATTENTION = "Attention by system, with intervals where measured"
PICTURE = (
    "Question overlap and answer location by sentence; means over fewer than "
    f"{question_bias.LEAST} questions are left out"
)
WORDS = "Coverage of questions and overlap of vocabularies"
EXPLANATION = "What goes with how well questions about an entity find its passage"
EXAMPLES = (
    "Tables 1 and 2 of the SIGIR paper show one passage chosen by hand. Passages chosen by a rule, "
    "their entities by attention, and their questions with scores, those of AugDPR's generator "
    "(fig. 1 of its paper) among them: [{markdown}]({link}), with shading in a browser `{html}`."
)


def render_analyses(results: Results) -> str:
    """Markdown; tables without rows are left out."""
    study = results.study
    explained = entity_tables.read_explanation(study)
    tables = [
        sizes_table(results),
        samples_table(results),
        question_bias.position_table(study),
        question_bias.split_table(study),
        word_tables.coverage_table(results),
        word_tables.vocabulary_table(results),
    ]
    of_entities = [
        entity_tables.position_table(results),
        entity_tables.score_table(results),
        entity_tables.explanation_table(results),
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
        parts += ["## Examples", _examples_text(), render(_examples_table(study))]
    return "\n\n".join(parts)


def write_analysis_plots(results: Results, confidence: float) -> None:
    """Write the pictures and one CSV for each plot, published rows marked as such."""
    study = results.study
    explained = entity_tables.read_explanation(study)
    draw_attention(paths.ATTENTION_PICTURE, results, explained)
    if explained:
        draw_explanation(paths.EXPLANATION_PICTURE, explained, confidence)
    draw_words(paths.WORDS_PICTURE, results)
    draw_question_bias(paths.QUESTION_OVERLAP_PICTURE, question_bias.curves(study))
    coverage = (word_tables.COVERAGE_COLUMNS, word_tables.coverage_rows(results))
    vocabulary = (word_tables.VOCABULARY_COLUMNS, word_tables.vocabulary_rows(results))
    rows = question_bias.csv_rows(study)
    write_table(paths.QUESTION_OVERLAP_PLOT, question_bias.COLUMNS, rows)
    write_table(paths.COVERAGE_PLOT, *coverage)
    write_table(paths.VOCABULARY_PLOT, *vocabulary)


def _examples_text() -> str:
    markdown = paths.EXAMPLES_MARKDOWN
    return EXAMPLES.format(markdown=markdown, link=relative(markdown), html=paths.EXAMPLES_HTML)


def _examples_table(study: Study) -> Table:
    metrics = read_values(paths.EXAMPLE_METRICS)
    beside = study.on_published_data
    means = {system: metrics[system] for system in SYSTEMS if system in metrics}
    rows = []
    for kind in dict.fromkeys(kind for of in means.values() for kind in of):
        scores = [f"{of[kind]:.1f}" if kind in of else "" for of in means.values()]
        theirs = [str(published.GOLD_SCORE) if kind == "gold" else ""] if beside else []
        rows.append(Row([kind, *scores, *theirs]))
    notes = [
        f"Means over {metrics['questions']} questions about {metrics['passages']} passages. "
        "Scores are on a scale of each retriever's own: only those of one column can be compared"
    ]
    header = ["questions", *(SYSTEMS[system] for system in means)]
    if beside:
        header.append("published")
        synthetic = " / ".join(str(score) for score in published.SYNTHETIC_SCORES)
        label = "published: three synthetic questions"
        rows.append(Row([label, *[""] * len(means), synthetic], True))
        notes.append(
            "Published: DPR, SIGIR tab. 1, one passage; the last synthetic question is about its "
            "highest-attended entity"
        )
    return Table("Scores of the example questions with their passages", header, rows, notes)
