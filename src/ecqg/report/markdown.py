"""results/report.md: the page that a pull request shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ecqg import numerics, paths
from ecqg.errors import printable
from ecqg.report import published
from ecqg.report.context import OTHER_DATA, context_tables
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
    "Made by `ecqg report` (seed {seed}, {numerics} numerics); `ecqg table` prints the essence. "
    "Other seeds may say otherwise: `make seeds` compares them."
)
READING = (
    "UnCon-DPR is a DPR pre-trained on unconditioned synthetic questions, Mixed-DPR one on these "
    "and as many about the least-attended entities, AugDPR one on questions about an answer's "
    "sentence; all are then fine-tuned as DPR is. "
    "Accuracy counts a question if one of the top k passages contains an answer string. Bold is "
    "the best of a row by the first measure of its table. A subset that is all of its test set has "
    "no row."
)
PUBLISHED = (
    "Rows in italics are the papers' numbers on the same test sets: "
    "other models and passages may be at work."
)
# What Markdown takes for its own: no star before a space, no bracket alone, no underscore between
# two letters.
_SPECIAL = re.compile(r"[\\`|]|\*(?=\S)|\](?=[(\[])|&(?=[#\w]+;)|(?<![^\W_])_|_(?![^\W_])")
_TAG = re.compile(r"<(?=[\w/!?])")
PICTURES = {
    paths.ACCURACY_PICTURE: "Accuracy by system and test set, with confidence intervals",
    paths.HEATMAP_PNG: "Attention on one passage, system by system",
}


def render_page(
    results: Results,
    seed: int,
    passages: int,
    analyses: str = "",
    stale: Sequence[str] = (),
) -> str:
    """The whole page; `analyses` is Markdown that comes before the pictures.

    `passages` is how many AugDPR's synthetic questions were sampled from; `stale` are lines on what
    does not match params.yaml (ecqg.report.stale).
    """
    study = results.study
    parts = [
        "# Results",
        *(f"**{line}.**" for line in stale),
        MADE.format(seed=seed, numerics=numerics.mode()),
        READING,
    ]
    if study.published:
        parts.append(PUBLISHED)
    groups = [ks for ks in published.KS if {*study.ks}.issuperset(ks)]
    if left := sorted({*study.ks}.difference(*groups)):
        groups.append(tuple(left))
    parts += [render(accuracy_table(results, ks)) for ks in groups]
    synthetic = [
        synthetic_data_table(results, test_set, passages) for test_set in results.test_sets[:1]
    ]
    parts += [render(table) for table in synthetic if table.rows]
    parts += [render(t) for t in _differences(results) if t.rows]
    if (reranking := reranking_table(results, (1, 5))).rows:
        parts.append(render(reranking))
    tables = [ranking_table(results, measures) for measures in RANKING_MEASURES]
    parts += [render(table) for table in tables if table.rows]
    if results.attention:
        parts.append(render(attention_table(results)))
        parts.append("All measures:")
        parts.append(_all_attention(results))
        parts.append(render(attention_difference_table(results)))
        if (definitions := definition_table(results)).rows:
            parts.append(render(definitions))
    if analyses:
        parts.append(analyses)
    if study.embedded:
        parts += ["## Published, on other data", OTHER_DATA, *map(render, context_tables())]
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
    lines = [_line(map(plain, table.header)), _line(["---", *[side] * (len(table.header) - 1)])]
    for row in table.rows:
        cells = [plain(cell.rstrip()).replace("  ", "&nbsp;&nbsp;") for cell in row.cells]
        for number, cell in enumerate(cells):
            if cell and row.published:
                cells[number] = f"_{cell}_"
            elif cell and number in row.best:
                cells[number] = f"**{cell}**"
        lines.append(_line(cells))
    notes = [f"{note}." for note in table.notes]
    return "\n\n".join([f"### {plain(table.caption)}", "\n".join(lines), *notes])


def plain(text: str) -> str:
    r"""`text`, in which names from files may stand, as Markdown and HTML show it, on one line.

    >>> print(plain("nq_like | <b>_x_*"))
    nq_like \| &lt;b>\_x\_*
    """
    return _TAG.sub("&lt;", _SPECIAL.sub(r"\\\g<0>", printable(text)))


def _all_attention(results: Results) -> str:
    """Every measure of attention that is a number, one a row."""
    found = [item for values in results.attention.values() for item in values.items()]
    measures = list(dict.fromkeys(m for m, value in found if isinstance(value, int | float)))
    lines = [
        _line(["measure", *map(plain, results.attention)]),
        _line(["---", *["---:"] * len(results.attention)]),
    ]
    for measure in measures:
        values = [found.get(measure) for found in results.attention.values()]
        lines.append(_line([measure, *("" if v is None else f"{v:.4g}" for v in values)]))
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def picture(path: Path, what: str) -> str:
    """A picture, and below it what it shows and its file."""
    return f"![{what}]({relative(path)})\n\n{what}: `{path}`"


def relative(path: Path) -> str:
    """A file of the repository as the page links it."""
    return "../" * (len(paths.REPORT.parts) - 1) + path.as_posix()
