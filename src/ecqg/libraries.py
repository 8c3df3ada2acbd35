"""Which libraries this package runs with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import (
    PackageNotFoundError,
    entry_points,
    packages_distributions,
    requires,
    version,
)
from pathlib import Path

from ecqg.errors import InputError
from ecqg.paths import CODE

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


def computing(modules: Iterable[str]) -> dict[str, str]:
    """Minor versions ("2.13"), by name, of the distributions that compute for code that imports
    `modules` (top-level names): of those that COMPUTE has, and of spaCy's installed pipelines.
    """
    found = set[str]()
    for module in COMPUTE.keys() & set(modules):
        found.update(_owners().get(module, ()), COMPUTE[module])
        if module == "spacy":
            pipelines = entry_points(group="spacy_models")
            found.update(entry.dist.name for entry in pipelines if entry.dist)
    return {name: minor for name in sorted(found) if (minor := _minor(name))}


@cache
def _owners() -> Mapping[str, list[str]]:
    """Distributions by the modules that are in them; it reads the records of all."""
    return packages_distributions()


def _minor(distribution: str) -> str:
    """Of an installed distribution; "" where it is none."""
    try:
        return ".".join(version(distribution).split(".")[:2])
    except PackageNotFoundError:
        return ""


def changed(listing: Path) -> Iterator[str]:
    """What has another version than `listing` (paths.CODE/STAGE.txt) says, in words.

    The listing says it in lines of distribution, tab and minor version.
    """
    for line in listing.read_text(encoding="utf-8").splitlines():
        name, _, recorded = line.partition("\t")
        if "/" not in name and not name.endswith(".py") and (now := _minor(name)) != recorded:
            yield f"{name} is {now or 'not installed'}, it was {recorded}"


def check_recorded(stage: str) -> None:
    """Raise InputError where a stage would run with other libraries than DVC knows of."""
    listing = CODE / f"{stage}.txt"
    if listing.is_file() and (news := next(changed(listing), "")):
        raise InputError(
            news,
            file=listing,
            remedy="run 'ecqg check', so that DVC sees which stages that concerns, and repeat this",
        )
