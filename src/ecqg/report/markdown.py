"""metrics/report.md: the page that a pull request shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ecqg import paths
from ecqg.report import published
from ecqg.report.layout import (
    AUGMENTED_PAIRS,
    OTHER_PAIRS,
    RANKING_MEASURES,
    TRAINED_PAIRS,
    Table,
    accuracy_table,
    attention_difference_table,
    attention_table,
    definition_table,
    difference_table,
    ranking_table,
    reranking_table,
    synthetic_data_table,
)
from ecqg.report.results import Results

MADE = (
    "Made by `ecqg report` (seed {seed}); `ecqg table` prints the essence. Other seeds may say "
    "otherwise: `make seeds` compares them."
)
READING = (
    "UnCon-DPR is a DPR pre-trained on unconditioned synthetic questions, Mixed-DPR one on these "
    "and as many about the least-attended entities, AugDPR one on questions about an answer's "
    "sentence; all are then fine-tuned as DPR is. "
    "Accuracy counts a question if one of the top k passages contains an answer string. Rows in "
    "italics are published numbers: other data at another scale, comparable in "
    "direction only. Bold is the best of a row by the first measure of its table. A subset that "
    "is all of its test set has no row."
)
PUBLISHED_KS = ((1, 5), (1, 10, 20), (20, 100))
PICTURES = {
    paths.ACCURACY_PICTURE: "Accuracy by system and test set, with confidence intervals",
    paths.HEATMAP_PNG: "Attention on one passage, system by system",
}


def render_page(results: Results, seed: int, passages: int, analyses: str = "") -> str:
    """The whole page; `analyses` is Markdown that comes before the pictures.

    `passages` is how many AugDPR's synthetic questions were sampled from.
    """
    parts = [
        "# Results",
        MADE.format(seed=seed),
        READING,
        *(render(accuracy_table(results, ks)) for ks in PUBLISHED_KS),
    ]
    measures = {m for of in results.accuracy.values() for values in of.values() for m in values}
    every = {int(measure.removeprefix("top")) for measure in measures}
    if left := sorted(every.difference(*PUBLISHED_KS)):
        parts.append(render(accuracy_table(results, left)))
    parts.append(render(synthetic_data_table(results, results.test_sets[0], passages)))
    parts += [render(t) for t in _differences(results) if t.rows]
    if (reranking := reranking_table(results, (1, 5))).rows:
        parts.append(render(reranking))
    tables = [ranking_table(results, measures) for measures in RANKING_MEASURES]
    parts += [render(table) for table in tables if table.rows]
    if results.attention:
        parts.append(render(attention_table(results)))
        parts.append(f"Published attention: {published.ATTENTION_SOURCE}. All measures:")
        parts.append(_all_attention(results))
        parts.append(render(attention_difference_table(results)))
        if (definitions := definition_table(results)).rows:
            parts.append(render(definitions))
    if analyses:
        parts.append(analyses)
    parts.append("## Pictures")
    parts += [picture(path, what) for path, what in PICTURES.items()]
    parts.append(f"In a browser: `{paths.HEATMAP_HTML}`, and `dvc plots show` for all plots.")
    return "\n\n".join(parts) + "\n"


def _differences(results: Results) -> Iterator[Table]:
    for k in (1, 5):
        yield difference_table(results, k, TRAINED_PAIRS)
        yield difference_table(results, k, OTHER_PAIRS)
    for k in published.AUGDPR_ZERO_SHOT.ks:
        yield difference_table(results, k, AUGMENTED_PAIRS)


def render(table: Table) -> str:
    """A table in Markdown, its caption above and its notes below."""
    side = "---" if table.words else "---:"
    lines = [_line(table.header), _line(["---", *[side] * (len(table.header) - 1)])]
    for row in table.rows:
        cells = [cell.rstrip().replace("  ", "&nbsp;&nbsp;") for cell in row.cells]
        for number, cell in enumerate(cells):
            if cell and row.published:
                cells[number] = f"_{cell}_"
            elif cell and number in row.best:
                cells[number] = f"**{cell}**"
        lines.append(_line(cells))
    notes = [f"{note}." for note in table.notes]
    return "\n\n".join([f"### {table.caption}", "\n".join(lines), *notes])


def _all_attention(results: Results) -> str:
    """Every measure of attention that is a number, one a row."""
    found = [item for values in results.attention.values() for item in values.items()]
    measures = list(dict.fromkeys(m for m, value in found if isinstance(value, int | float)))
    lines = [
        _line(["measure", *results.attention]),
        _line(["---", *["---:"] * len(results.attention)]),
    ]
    for measure in measures:
        values = [found.get(measure) for found in results.attention.values()]
        lines.append(_line([measure, *("" if v is None else f"{v:.4g}" for v in values)]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def picture(path: Path, what: str) -> str:
    """A picture, and below it what it shows and its file."""
    return f"![{what}]({relative(path)})\n\n{what}: `{path}`"


def relative(path: Path) -> str:
    """A file of the repository as the page links it."""
    return "../" * (len(paths.REPORT.parts) - 1) + path.as_posix()
