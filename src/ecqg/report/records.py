"""A run's results as one small file, so that seeds of other times and places make one study.

A record holds what `ecqg seeds` reads of a run: params.yaml, the tables of results/, what is judged
and measured by query. Questions' texts are left out; a digest of them says whether two runs asked
the same.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from ecqg import paths
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation.topk import read_per_query, write_per_query
from ecqg.files import DIGITS, atomic, conform, not_utf_8, parse_json

SUFFIX = ".zip"
PARAMS, RANKS = "params.yaml", "ranks.json"
REMEDY = "write it again with 'ecqg seeds --keep'"
OLDEST = (1980, 1, 1, 0, 0, 0)  # the date of every member: the same results are the same bytes
# What zipfile raises of bytes that are no archive, or no longer one.
DAMAGED = (
    zipfile.BadZipFile,
    lzma.LZMAError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
NAMES = re.compile(r"[\w-]+/[\w-]+")  # they become paths
LARGEST = 2**28  # bytes of all members


class Questions(Struct):
    """The ids of a test set's questions, and a digest of their texts."""

    ids: list[str]
    questions: str


class ByQuery(Struct):
    """By "collection/test set", and by "collection/system" and test set."""

    sets: dict[str, Questions]
    ranks: dict[str, dict[str, list[int]]]


def write_record(tree: Path, parameters: str, file: Path, by_query: bool = True) -> None:
    """Write the tree of a run (ecqg.report.seed_trees) with the text of its params.yaml.

    Without what is measured by query it has a third of the size.
    """
    ranks = _pack(tree) if by_query else json.dumps({"sets": {}, "ranks": {}})
    with atomic(file) as aside, zipfile.ZipFile(aside, "w") as packed:
        for name, text in ((PARAMS, parameters), *_tables(tree), (RANKS, ranks)):
            packed.writestr(zipfile.ZipInfo(name, OLDEST), text, zipfile.ZIP_LZMA)


def read_record(file: Path, tree: Path | None = None) -> str:
    """The text of a record's params.yaml; with a folder the rest goes there.

    Raises InputError for a file that is damaged, too large, or no record.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(member.file_size for member in packed.infolist()) > LARGEST:
                what = f"more than {LARGEST:,} bytes of results"
                raise InputError(what, file=file, remedy=REMEDY)
            if tree is not None:
                packed.extractall(tree)
                _unpack(conform(parse_json(packed.read(RANKS).decode()), ByQuery), tree)
            return packed.read(PARAMS).decode()
    except UnicodeDecodeError as error:
        raise not_utf_8(error, f"{file}:{PARAMS}") from None
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputError(what, file=file, remedy=REMEDY) from None
    except DAMAGED:
        raise InputError("no record of a run", file=file, remedy=REMEDY) from None


def _tables(tree: Path) -> Iterator[tuple[str, str]]:
    for folder in (paths.RESULTS, paths.JUDGED):
        for file in sorted((tree / folder.name).rglob("*.csv")):
            yield file.relative_to(tree).as_posix(), file.read_text(encoding="utf-8")


def _pack(tree: Path) -> str:
    """What is measured by query, in columns; the ranks of a subset are those of its whole set."""
    sets: dict[str, dict[str, Any]] = {}
    ranks: dict[str, dict[str, list[int]]] = {}
    for file in sorted((tree / paths.PER_QUERY.name).glob("*/*/*.csv")):
        collection, system, name = *file.parts[-3:-1], file.stem
        read = read_per_query(file)
        digest = hashlib.sha256("\n".join(read.questions).encode()).hexdigest()[:DIGITS]
        of_set = {"ids": list(read.ids), "questions": digest}
        if sets.setdefault(f"{collection}/{name}", of_set) != of_set:
            raise InputError("other questions than of other systems", file=file, remedy=REMEDY)
        ranks.setdefault(f"{collection}/{system}", {})[name] = read.ranks.tolist()
    for system, of in ranks.items():
        collection = system.split("/")[0]
        for name in [*of]:
            whole, ids = _whole(name, of), sets[f"{collection}/{name}"]["ids"]
            if whole and of[name] == _picked(sets[f"{collection}/{whole}"]["ids"], of[whole], ids):
                del of[name]
    return json.dumps({"sets": sets, "ranks": ranks}, separators=(",", ":"))


def _unpack(packed: ByQuery, tree: Path) -> None:
    """Write what is measured by query as `write_per_query` does, a digest in a question's place.

    Raises ValueError for names that are none of files, and where ids and ranks do not pair.
    """
    if not all(NAMES.fullmatch(name) for name in (*packed.sets, *packed.ranks)):
        raise ValueError("not the names of a record")
    for system, of in packed.ranks.items():
        collection, name = system.split("/")
        for key, questions_of in packed.sets.items():
            place, test_set = key.split("/")
            whole = test_set if test_set in of else _whole(test_set, of)
            if place != collection or not whole:
                continue
            picked = _picked(packed.sets[f"{collection}/{whole}"].ids, of[whole], questions_of.ids)
            questions = [Question(id, questions_of.questions, ()) for id in questions_of.ids]
            file = tree / paths.PER_QUERY.name / collection / name / f"{test_set}.csv"
            write_per_query(file, questions, np.array(picked, dtype=np.int64))


def _whole(name: str, others: Iterable[str]) -> str | None:
    """The test set that `name`, such as nq_like_no_answer_overlap, is a subset of."""
    return next((other for other in others if name.startswith(f"{other}_")), None)


def _picked(ids: Sequence[str], ranks: Sequence[int], wanted: Sequence[str]) -> list[int]:
    found = dict(zip(ids, ranks, strict=True))
    return [found.get(id, -1) for id in wanted]
