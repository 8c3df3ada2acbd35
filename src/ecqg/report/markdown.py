"""Tables and pictures as Markdown, and the templates that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
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
    tools = {f.__name__: f for f in (table, grid, head, row, picture, relative)}
    page = templates.fill(module, plain, **tools, **values)
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
    """A table's header and rows alone."""
    rows = (row(r.cells, r.published, r.best) for r in table.rows)
    return Markup("\n".join([head(table.header, words), *rows]))


def head(columns: Sequence[str], words: bool = False) -> Markup:
    """The first two lines of a table."""
    side = "---" if words else "---:"
    return _line(map(plain, columns)) + "\n" + _line(["---", *[side] * (len(columns) - 1)])


def row(cells: Iterable[object], published: bool = False, best: Collection[int] = ()) -> Markup:
    """A line of a table: the papers' numbers in italics, the cells of `best` bold."""
    texts = ("" if cell is None else str(cell).rstrip() for cell in cells)
    shown = [plain(text).replace("  ", "&nbsp;&nbsp;") for text in texts]
    for number, cell in enumerate(shown):
        if cell and published:
            shown[number] = f"_{cell}_"
        elif cell and number in best:
            shown[number] = f"**{cell}**"
    return _line(shown)


def _line(cells: Iterable[str]) -> Markup:
    return Markup("| " + " | ".join(cells) + " |")


def picture(path: Path, what: str) -> Markup:
    """A picture, and below it what it shows and its file."""
    return Markup(f"![{what}]({relative(path)})\n\n{what}: `{path}`")


def relative(path: Path) -> str:
    """A file of the repository as the page links it."""
    return "../" * (len(paths.REPORT.parts) - 1) + path.as_posix()
