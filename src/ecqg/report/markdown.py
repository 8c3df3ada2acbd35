"""metrics/report.md: the page that a pull request shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ecqg import paths
from ecqg.report import published
from ecqg.report.layout import (
    Table,
    accuracy_table,
    attention_difference_table,
    attention_table,
    difference_table,
    published_table,
    ranking_table,
    reranking_table,
)
from ecqg.report.results import Results

MADE = "Made by `ecqg report` (seed {seed}); `ecqg table` prints the essence."
READING = (
    "Accuracy counts a question if one of the top k passages contains an answer string. Rows in "
    "italics are published numbers ({sources}): other data at another scale, comparable in "
    "direction only. The best top-1 accuracy of a row is bold."
)
PICTURES = {
    paths.ACCURACY_PICTURE: "Accuracy by system and test set, with confidence intervals",
    paths.HEATMAP_PNG: "Attention of DPR and Mixed-DPR on the same passage",
}


def render_page(results: Results, seed: int) -> str:
    """The whole page."""
    sources = "; ".join(t.source for t in (published.SIGIR, published.ACL_DRAFT))
    parts = [
        "# Results",
        MADE.format(seed=seed),
        READING.format(sources=sources),
        render(accuracy_table(results, (1, 5))),
    ]
    measures = {m for of in results.accuracy.values() for values in of.values() for m in values}
    deeper = sorted({int(measure.removeprefix("top")) for measure in measures} - {1, 5})
    if deeper:
        parts.append(render(accuracy_table(results, deeper)))
    parts += [render(t) for k in (1, 5) if (t := difference_table(results, k)).rows]
    if (reranking := reranking_table(results, (1, 5))).rows:
        parts.append(render(reranking))
    if (ranking := ranking_table(results)).rows:
        parts.append(render(ranking))
    if results.attention:
        parts.append(render(attention_table(results)))
        parts.append(f"Published attention: {published.ATTENTION_SOURCE}. All measures:")
        parts.append(_all_attention(results))
        parts.append(render(attention_difference_table(results)))
    parts.append("## Pictures")
    for path, what in PICTURES.items():
        parts.append(f"![{what}]({_relative(path)})\n\n{what}: `{path}`")
    parts.append(f"In a browser: `{paths.HEATMAP_HTML}`, and `dvc plots show` for all plots.")
    parts.append("## Published with AugDPR")
    parts += [render(published_table(t)) for t in (published.AUGDPR, published.AUGDPR_ZERO_SHOT)]
    return "\n\n".join(parts) + "\n"


def render(table: Table) -> str:
    """A table in Markdown, its caption above and its notes below."""
    lines = [_line(table.header), _line(["---", *["---:"] * (len(table.header) - 1)])]
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


def _relative(path: Path) -> str:
    return "../" * (len(paths.REPORT.parts) - 1) + path.as_posix()
