"""Tables and pictures as Markdown, and the templates that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup

from ecqg import paths, templates
from ecqg.errors import printable
from ecqg.report.formats import Table

# What Markdown takes for its own: no star before a space, no bracket alone, no underscore between
# two letters.
_SPECIAL = re.compile(r"[\\`|]|\*(?=\S)|\](?=[(\[])|&(?=[#\w]+;)|(?<![^\W_])_|_(?![^\W_])")
_TAG = re.compile(r"<(?=[\w/!?])")


def fill(module: str, **values: object) -> str:
    """The module's template (ecqg.templates); a paragraph becomes one line, a blank one apart."""
    page = templates.fill(module, plain, table=table, grid=grid, picture=picture, **values)
    parts = re.split(r"\n\s*\n", page.strip())
    parts = [part if part.startswith("|") else part.replace("\n", " ") for part in parts]
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    r"""`text`, in which names from files may stand, as Markdown and HTML show it, on one line.

    >>> print(plain("nq_like | <b>_x_*"))
    nq_like \| &lt;b>\_x\_*
    """
    return _TAG.sub("&lt;", _SPECIAL.sub(r"\\\g<0>", printable(text)))


def table(
    table: Table,
    caption: str = "",
    words: bool = False,
    always: bool = False,
    caller: Callable[[], str] = str,
) -> Markup:
    """A table, its caption above and its notes below: its own, or the block that calls.

    Nothing where it has no rows, unless `always` says so. `words`: columns do not hold numbers.
    """
    if not table.rows and not always:
        return Markup()
    notes = [*(f"{note}." for note in table.notes), caller()]
    parts = [f"### {plain(caption or table.caption)}", grid(table, words), *notes]
    return Markup("\n\n".join(parts) + "\n\n")


def grid(table: Table, words: bool = False) -> Markup:
    """A table's header and rows alone: the papers' numbers in italics, the best of a row bold."""
    side = "---" if words else "---:"
    lines = [[*map(plain, table.header)], ["---", *[side] * (len(table.header) - 1)]]
    for row in table.rows:
        texts = [plain(cell.rstrip()).replace("  ", "&nbsp;&nbsp;") for cell in row.cells]
        for number, text in enumerate(texts):
            if text and row.published:
                texts[number] = f"_{text}_"
            elif text and number in row.best:
                texts[number] = f"**{text}**"
        lines.append(texts)
    return Markup("\n".join(f"| {' | '.join(cells)} |" for cells in lines))


def picture(path: Path, what: str) -> Markup:
    """A picture, linked from the folder of paths.REPORT, and below it what it shows."""
    up = "../" * (len(paths.REPORT.parts) - 1)
    return Markup(f"![{what}]({up}{path.as_posix()})\n\n{what}: `{path}`")
