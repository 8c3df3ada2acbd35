"""A run's results as one small file, so that seeds of other times and places make one study.

A record holds what `ecqg seeds` reads of a run: params.yaml, the tables of results/, what is judged
and measured by query. Questions' texts are left out; a digest of them says whether two runs asked
the same.
"""

from __future__ import annotations

import csv
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.topk import HEADER, read_per_query
from ecqg.files import DIGITS, atomic, not_utf_8

SUFFIX = ".zip"
PARAMS = "params.yaml"
OLDEST = (1980, 1, 1, 0, 0, 0)  # the date of every member: the same results are the same bytes
# What zipfile raises of bytes that are no archive, or no longer one.
DAMAGED = (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError, EOFError)
LARGEST = 2**28  # bytes of all members


def write_record(tree: Path, parameters: str, file: Path) -> None:
    """Write the tree of a run (ecqg.report.seed_trees) with the text of its params.yaml."""
    with atomic(file) as aside, zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in ((PARAMS, parameters), *_members(tree)):
            packed.writestr(zipfile.ZipInfo(name, OLDEST), text, zipfile.ZIP_DEFLATED, 9)


def read_record(file: Path, tree: Path | None = None) -> str:
    """The text of a record's params.yaml; with a folder the rest goes there.

    Raises InputError for a file that is damaged, too large, or no record.
    """
    remedy = "write it again with 'ecqg seeds --keep'"
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(member.file_size for member in packed.infolist()) > LARGEST:
                raise InputError(
                    f"more than {LARGEST:,} bytes of results", file=file, remedy=remedy
                )
            if tree is not None:
                packed.extractall(tree)
            return packed.read(PARAMS).decode()
    except UnicodeDecodeError as error:
        raise not_utf_8(error, f"{file}:{PARAMS}") from None
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputError(what, file=file, remedy=remedy) from None
    except DAMAGED:
        raise InputError("no record of a run", file=file, remedy=remedy) from None


def _members(tree: Path) -> Iterator[tuple[str, str]]:
    for folder in (paths.RESULTS, paths.JUDGED):
        for file in sorted((tree / folder.name).rglob("*.csv")):
            yield file.relative_to(tree).as_posix(), file.read_text(encoding="utf-8")
    for file in sorted((tree / paths.PER_QUERY.name).glob("*/*/*.csv")):
        read, text = read_per_query(file), io.StringIO(newline="")
        digest = hashlib.sha256("\n".join(read.questions).encode()).hexdigest()[:DIGITS]
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(HEADER)
        rows.writerows([id, digest, rank] for id, rank in zip(read.ids, read.ranks, strict=True))
        yield file.relative_to(tree).as_posix(), text.getvalue()
