"""What each stage's code is, so that DVC runs a stage again where its code changed, and only then.

A stage depends on one small file, which lists the modules that it imports with a digest of each,
and the libraries that compute for it with their versions. Comments and docstrings are no part of a
digest: to correct one runs nothing again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from ecqg import paths
from ecqg.digests import content_digest
from ecqg.files import atomic, write_text
from ecqg.libraries import changed, computing
from ecqg.source import code_digest

PACKAGE = Path(__file__).parent
STAGES = PACKAGE / "stages"
BESIDE = (".j2", ".yaml")
FIRST = "check"  # writes the listings, and depends on all code


@cache
def digest(file: Path) -> str:
    """32 hexadecimal digits of what a module does, or of all bytes of another file."""
    return code_digest(file) if file.suffix == ".py" else content_digest(file)[:32]


def write_listings() -> None:
    """Write paths.CODE/STAGE.txt for each module of ecqg.stages but the first stage's.

    A line is a file below src/ecqg, a tab and 32 hexadecimal digits; the files are in order, the
    templates and data of modules among them. Behind them stand distributions, each with a tab and
    its minor version.
    """
    with atomic(paths.CODE) as out:
        for stage in sorted(STAGES.glob("[a-z]*.py")):
            if stage.stem == FIRST:
                continue
            lines = [f"{named(file)}\t{digest(file)}" for file in files(stage)]
            libraries = computing(chain.from_iterable(map(libraries_of, modules(stage))))
            lines += [f"{name}\t{version}" for name, version in libraries.items()]
            write_text(out / f"{stage.stem}.txt", "".join(f"{line}\n" for line in lines))


def list_again() -> None:
    """Write the listings anew where they name other libraries than those that are installed.

    DVC then finds its output changed, and makes it, and what depends on it, again: no file of the
    repository changes when somebody upgrades a library.
    """
    if any(news for listing in paths.CODE.glob("*.txt") for news in changed(listing)):
        write_listings()


def named(file: Path) -> str:
    """How a file is called in listings."""
    return file.relative_to(PACKAGE).as_posix()


def files(module: Path) -> list[Path]:
    """All files of this package that say what a module does: `modules`, and what lies beside."""
    sources = modules(module)
    return sorted([*sources, *chain.from_iterable(map(beside, sources))])


def modules(module: Path) -> list[Path]:
    """The module's own file and those of this package that it imports, through others too and
    inside of functions.
    """
    seen: set[Path] = set()
    todo = [module]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += imports(path)
    return sorted(seen)


def beside(module: Path) -> list[Path]:
    """A module's template or data, which lie beside it and have its name.

    What has no module of its name in its folder is the package's.
    """
    if module.name != "__init__.py":
        return [file for file in map(module.with_suffix, BESIDE) if file.is_file()]
    files = chain.from_iterable(module.parent.glob(f"*{suffix}") for suffix in BESIDE)
    return [file for file in files if not file.with_suffix(".py").is_file()]


def imports(path: Path) -> list[Path]:
    """Files of this package that a file imports, with those of the packages that hold them."""
    own = (name for name in _imported(path) if _top(name) == PACKAGE.name)
    return [file for name in own for file in _files(name)]


def libraries_of(path: Path) -> set[str]:
    """Top-level names of what a file imports from elsewhere."""
    return set(map(_top, _imported(path))) - {PACKAGE.name}


@cache
def _imported(path: Path) -> list[str]:
    """Dotted names that a file imports, the last part perhaps of something in a module."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def _top(name: str) -> str:
    return name.partition(".")[0]


def _files(name: str) -> Iterator[Path]:
    """The files of a module and its packages; the last part of the name may be something in it."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        base = PACKAGE.parent.joinpath(*parts[:length])
        for file in (base / "__init__.py", base.with_suffix(".py")):
            if file.is_file():
                yield file
