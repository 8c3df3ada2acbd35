"""A sentence-transformers folder: its modules in their order, and what it says of texts.

modules.json lists them, each with a folder of its own. A Router holds two such lists, of questions
("query") and passages ("document"), as folders beside its file; there the folder of a half is that
of its first module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from ecqg.errors import InputError
from ecqg.files import read_as, read_record

MODULES = "modules.json"
ROUTER = "router_config.json"
SETTINGS = "config_sentence_transformers.json"


class _Module(Struct):
    type: str
    path: str


class _Router(Struct):
    types: dict[str, str]  # folder -> type
    structure: dict[str, list[str]]  # route -> folders


def is_list(folder: Path) -> bool:
    """Whether sentence-transformers wrote the folder, or the Router that it is a half of."""
    return (folder / MODULES).is_file() or _in_router(folder)


def modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """The last part of each module's type, and its folder.

    Raises InputError where no list of modules is, or one names a folder elsewhere or a type of
    another package.
    """
    if _in_router(folder):
        router, file = _router(folder.parent), folder.parent / ROUTER
        for names in router.structure.values():
            if names[0] == folder.name:
                yield from ((_kind(router.types[n], file), folder.parent / n) for n in names)
                return
        remedy = "name one's first"
        raise InputError(f"no route begins with {folder.name}", file=file, remedy=remedy)
    remedy = "it must list modules, each with a type and a path below the folder"
    for module in read_as(folder / MODULES, list[_Module], "no list of modules", remedy):
        if ".." in Path(module.path).parts:
            raise InputError(f"the path {module.path}", file=folder / MODULES, remedy=remedy)
        yield _kind(module.type, folder / MODULES), folder / module.path.lstrip("/")


def _kind(name: str, file: Path) -> str:
    package, _, kind = name.rpartition(".")
    if package.split(".")[0] != "sentence_transformers":
        what = f"{name} is code of the model's own, and none is run"
        remedy = "give an encoder of sentence-transformers' own modules"
        raise InputError(what, file=file, remedy=remedy)
    return kind


def routes(folder: Path) -> tuple[Path, Path] | None:
    """The folders of a Router's question and passage encoder; None where the folder has no Router.

    Raises InputError where the Router is of something else than these.
    """
    if not (folder / ROUTER).is_file():
        return None
    found = _router(folder).structure
    if not {"query", "document"} <= found.keys():
        what = f"its routes are {', '.join(found) or 'none'}"
        raise InputError(what, file=folder / ROUTER, remedy="they must be query and document")
    return folder / found["query"][0], folder / found["document"][0]


def settings_of(folder: Path) -> dict[str, Any]:
    """What the folder, or the Router that it is a half of, says of prompts and similarity."""
    return read_if_there((folder.parent if _in_router(folder) else folder) / SETTINGS)


def read_if_there(file: Path) -> dict[str, Any]:
    """A JSON object; empty where the file is not there."""
    return read_record(file) if file.is_file() else {}


def _in_router(folder: Path) -> bool:
    return not (folder / MODULES).is_file() and (folder.parent / ROUTER).is_file()


def _router(folder: Path) -> _Router:
    file = folder / ROUTER
    remedy = "it must list each route's modules, folders beside the file, and their types"
    router = read_as(file, _Router, "no Router", remedy)
    for names in router.structure.values():
        for name in names or [""]:
            if name not in router.types or Path(name).name != name:
                raise InputError(f"a module {name or 'without a name'}", file=file, remedy=remedy)
    return router
