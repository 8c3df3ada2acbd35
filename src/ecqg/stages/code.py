"""What each stage's code is, so that DVC runs a stage again where its code changed, and only then.

A stage depends on one small file, which lists the modules that can take part in it with a digest of
each. Comments and docstrings are no part of a digest: to correct one runs nothing again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ecqg import paths
from ecqg.files import atomic, write_text
from ecqg.params import Params
from ecqg.source import code_digest

PACKAGE = Path(__file__).parents[1]
STAGES = PACKAGE / "stages"

digest = cache(code_digest)


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
