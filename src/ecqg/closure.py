"""Code and libraries of each stage, so that DVC runs it again where these changed, and only then.

A stage depends on one small file, which lists the modules that it imports with a digest of each,
and the libraries that compute for it with their versions. Comments and docstrings are no part of a
digest: to correct one runs nothing again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import (
    PackageNotFoundError,
    entry_points,
    packages_distributions,
    requires,
    version,
)
from itertools import accumulate, chain
from pathlib import Path

from ecqg import paths
from ecqg.digests import code_digest, content_digest, remembered
from ecqg.errors import InputError
from ecqg.files import atomic, write_text

PACKAGE = Path(__file__).parent
STAGES = PACKAGE / "stages"
BESIDE = (".j2", ".yaml")
NUMERICS = PACKAGE / "numerics.py"  # by which the command line sets libraries, for all stages
FIRST = "check"  # writes the listings, and depends on all code
# By the modules that are imported, those whose versions can change what a stage computes, beside
# the one that the module itself is in.
COMPUTE: dict[str, tuple[str, ...]] = {
    "faiss": (),
    "jnius": ("pyserini",),  # Lucene is called through Java
    "numpy": (),
    "pyserini": (),
    "scipy": (),
    "sklearn": (),
    "spacy": ("thinc",),
    "tokenizers": (),
    "torch": (),
    "transformers": ("tokenizers",),
}
Names = Callable[[Path], str]  # as `imported_names`
_distributions = cache(packages_distributions)  # by the modules in them; it reads all records


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
        for name, listing in _listings():
            write_text(out / name, listing)


def outdated() -> set[str]:
    """Paths of listings, below the repository's root, that `write_listings` would change."""
    there = {f.name: f.read_text(encoding="utf-8") for f in paths.CODE.glob("*.txt")}
    return {
        (paths.CODE / name).as_posix()
        for name, listing in _listings()
        if there.get(name) != listing
    }


def _listings() -> Iterator[tuple[str, str]]:
    """File names below paths.CODE, and what they are to hold."""
    names = known_names()
    stages = [stage for stage in sorted(STAGES.glob("[a-z]*.py")) if stage.stem != FIRST]
    code = {stage: sorted({*files(stage, names), *files(NUMERICS, names)}) for stage in stages}
    every = sorted(set(chain.from_iterable(code.values())))
    digests = dict(zip(every, remembered(digest, every), strict=True))
    for stage, found in code.items():
        lines = [f"{named(file)}\t{digests[file]}" for file in found]
        libraries = computing(modules(stage, names), names)
        lines += [f"{name}\t{minor}" for name, minor in libraries.items()]
        yield f"{stage.stem}.txt", "".join(f"{line}\n" for line in lines)


def list_again() -> None:
    """Write the listings anew where they name other libraries than those that are installed.

    DVC then finds its output changed, and makes it, and what depends on it, again: no file of the
    repository changes when somebody upgrades a library.
    """
    if any(news for listing in paths.CODE.glob("*.txt") for news in _changed(listing)):
        write_listings()


def check_recorded(stage: str) -> None:
    """Raise InputError where a stage would run with other libraries than DVC knows of."""
    listing = paths.CODE / f"{stage}.txt"
    remedy = "run 'ecqg check', so that DVC sees which stages that concerns, and repeat this"
    if listing.is_file():
        for news in _changed(listing):
            raise InputError(news, file=listing, remedy=remedy)


def _changed(listing: Path) -> Iterator[str]:
    """What is installed in another version than a listing says, in words."""
    for line in listing.read_text(encoding="utf-8").splitlines():
        name, _, recorded = line.partition("\t")
        if "/" not in name and not name.endswith(".py") and (now := _minor(name)) != recorded:
            yield f"{name} is {now or 'not installed'}, it was {recorded}"


def named(file: Path) -> str:
    """How a file is called in listings."""
    return file.relative_to(PACKAGE).as_posix()


def files(module: Path, names: Names | None = None) -> list[Path]:
    """All files of this package that say what a module does: `modules`, and what lies beside."""
    found = modules(module, names)
    return sorted({*found, *chain.from_iterable(map(_beside, found))})


@cache
def _beside(source: Path) -> list[Path]:
    """A module's template or data: they lie beside it and have its name; what has no module of its
    name in its folder is the package's.
    """
    if source.name != "__init__.py":
        return [file for file in map(source.with_suffix, BESIDE) if file.is_file()]
    others = chain.from_iterable(source.parent.glob(f"*{suffix}") for suffix in BESIDE)
    return [file for file in others if not file.with_suffix(".py").is_file()]


def modules(module: Path, names: Names | None = None) -> list[Path]:
    """The module and those of this package that it imports, through others and in functions too.

    `names` says what a file imports, `imported_names` where it is None.
    """
    seen: set[Path] = set()
    todo = [module]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += imports(path, names)
    return sorted(seen)


def imports(path: Path, names: Names | None = None) -> list[Path]:
    """Files of this package that a file imports, with those of the packages that hold them."""
    return _within(PACKAGE, (names or imported_names)(path))


@cache
def _within(package: Path, names: str) -> list[Path]:
    """Of dotted names with blanks between them, the files that a package has."""
    found: list[Path] = []
    for name in names.split():
        top, *parts = name.split(".")
        if top == package.name:  # the last part may be something in a module
            bases = accumulate(parts, Path.joinpath, initial=package)
            found += [f for b in bases for f in (b / "__init__.py", b.with_suffix(".py"))]
    return [file for file in found if file.is_file()]


def libraries_of(path: Path, names: Names | None = None) -> set[str]:
    """Top-level names of what a file imports from elsewhere."""
    found = (names or imported_names)(path).split()
    return {name.partition(".")[0] for name in found} - {PACKAGE.name}


def known_names() -> Names:
    """`imported_names` of this package's files, remembered: to parse all takes half a second."""
    every = [*PACKAGE.rglob("*.py")]
    return dict(zip(every, remembered(imported_names, every), strict=True)).__getitem__


@cache
def imported_names(path: Path) -> str:
    """The dotted names that a file imports, with blanks between them; none where it is half edited.

    The last part may be of something in a module.
    """
    found: list[str] = []
    with suppress(SyntaxError):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                found += [f"{node.module}.{alias.name}" for alias in node.names]
    return " ".join(found)


def computing(modules: Iterable[Path], names: Names | None = None) -> dict[str, str]:
    """Minor versions ("2.13"), by name, of the distributions that compute for modules: of those
    that COMPUTE has, and of spaCy's installed pipelines.
    """
    found = set[str]()
    for library in COMPUTE.keys() & set().union(*(libraries_of(m, names) for m in modules)):
        found.update(_distributions().get(library, ()), COMPUTE[library])
        if library == "spacy":
            pipelines = entry_points(group="spacy_models")
            found.update(entry.dist.name for entry in pipelines if entry.dist)
    return {name: minor for name in sorted(found) if (minor := _minor(name))}


def _minor(distribution: str) -> str:
    """Of an installed distribution; "" where it is none."""
    try:
        return ".".join(version(distribution).split(".")[:2])
    except PackageNotFoundError:
        return ""


@cache
def versions() -> dict[str, str]:
    """Versions, by name, of the installed distributions that this package itself requires.

    Those of its extras are left out: no stage's result comes from them alone. No library is
    imported. Raises PackageNotFoundError where this package is not installed.
    """
    found: dict[str, str] = {}
    for requirement in requires("ecqg") or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        # A build under another name, such as faiss-gpu, may stand in for one.
        with suppress(PackageNotFoundError):
            if "extra ==" not in requirement:
                found[name] = version(name)
    return found
