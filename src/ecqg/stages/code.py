"""What each stage's code is, so that DVC runs a stage again where its code changed, and only then.

A stage depends on one small file, which lists the modules that can take part in it with a digest of
each. Comments and docstrings are no part of a digest: to correct one runs nothing again.
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ecqg import paths
from ecqg.files import atomic, write_text
from ecqg.params import Params

PACKAGE = Path(__file__).parents[1]
STAGES = PACKAGE / "stages"
LAYOUT = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


def run(params: Params) -> None:
    """Write paths.CODE/STAGE.txt for each other module of ecqg.stages.

    A line is a file below src/ecqg, a tab and 32 hexadecimal digits; the files are in order.
    """
    with atomic(paths.CODE) as out:
        for stage in sorted({*STAGES.glob("[a-z]*.py")} - {Path(__file__)}):
            lines = [f"{m.relative_to(PACKAGE).as_posix()}\t{digest(m)}\n" for m in modules(stage)]
            write_text(out / f"{stage.stem}.txt", "".join(lines))


def modules(stage: Path) -> list[Path]:
    """The stage's own file and those in rooms that it imports, through others too and inside of
    functions. Modules beside the rooms are plumbing, which does not change results, and left out.
    """
    seen: set[Path] = set()
    todo = [stage]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += imports(path)
    return sorted(path for path in seen if path.parent != PACKAGE)


@cache
def imports(path: Path) -> list[Path]:
    """Files of this package that a file imports, with those of the packages that hold them."""
    found: list[Path] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.split(".")[0] == PACKAGE.name:
                found += _files(name)
    return found


def _files(name: str) -> Iterator[Path]:
    """The files of a module and its packages; the last part of the name may be something in it."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        base = PACKAGE.parent.joinpath(*parts[:length])
        for file in (base / "__init__.py", base.with_suffix(".py")):
            if file.is_file():
                yield file


@cache
def digest(module: Path) -> str:
    """32 hexadecimal digits of what a file does."""
    text = effective(module.read_text(encoding="utf-8"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def effective(text: str) -> str:
    """A module's text without comments, strings that are statements of their own, blank lines and
    blanks at the end of lines. The same under every version of Python.
    """
    rows = text.split("\n")
    cut: list[tuple[tuple[int, int], tuple[int, int]]] = []
    literal: set[int] = set()  # rows that end inside of a string that stays
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            cut.append((token.start, token.end))
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            if statement and all(part.type == tokenize.STRING for part in statement):
                cut.append((statement[0].start, statement[-1].end))
            else:
                for part in statement:
                    literal.update(range(part.start[0], part.end[0]))
            statement = []
        elif token.type not in LAYOUT:
            statement.append(token)
    for (first, start), (last, end) in sorted(cut, reverse=True):
        rows[first - 1 : last] = [rows[first - 1][:start] + rows[last - 1][end:]] + [""] * (
            last - first
        )
    kept = (row if number in literal else row.rstrip() for number, row in enumerate(rows, 1))
    return "".join(f"{row}\n" for number, row in enumerate(kept, 1) if row or number in literal)
