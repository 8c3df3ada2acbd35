"""DPR's passage file: a header, then `id<TAB>text<TAB>title`, fields CSV-quoted where needed."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ecqg.corpus.lines import numbered_lines, split_fields
from ecqg.errors import InputError
from ecqg.files import atomic

HEADER = ["id", "text", "title"]
FORM = "write id<TAB>text<TAB>title on one line"
QUOTES = 'put a field with a double quote into double quotes and double it: "say ""yes"""'


class Entry(NamedTuple):
    """One line of a passage file, in the file's order of fields."""

    id: str
    text: str
    title: str


class Wrong(NamedTuple):
    """What is wrong with a line, and what would be right."""

    what: str
    remedy: str


def read_passage_file(path: str | Path) -> Iterator[Entry]:
    """Read a passage file as a stream (DPR's psgs_w100.tsv holds 21M lines).

    Raises InputError naming file and line for a missing file or header, a malformed line, an
    empty passage, an id that is empty or holds white space (run files are split at it) and, after
    the last line, for a duplicate id.
    """
    check_header(path)
    # Eight bytes a line instead of a set of strings, which would take gigabytes at 21M.
    hashes = array("q")
    wrong = partial(InputError, file=path)
    for number, line in numbered_lines(path, ended=True):
        if number == 1:
            continue
        entry = parse_entry(line)
        if isinstance(entry, Wrong):
            raise wrong(entry.what, line=number, remedy=entry.remedy)
        hashes.append(hash(entry.id))
        yield entry
    if not hashes:
        raise wrong("no passages", remedy="add a header and a passage a line")
    _check_unique(path, hashes)


def check_header(path: str | Path) -> None:
    """Raise InputError where the first line, if there is one, is not HEADER."""
    _, line = next(numbered_lines(path), (1, "\t".join(HEADER)))
    fields = split_fields(line, strict=True)
    if fields == HEADER:
        return
    what, remedy = "no header", "the first line must be id<TAB>text<TAB>title"
    if sorted(fields) == sorted(HEADER):
        what = f"the columns are {', '.join(fields)}, in another order"
        remedy = "write id<TAB>text<TAB>title, or let 'ecqg import passages' read the names"
    raise InputError(what, file=path, line=1, remedy=remedy)


def parse_entry(line: str) -> Entry | Wrong:
    """The passage of a line without its end."""
    if "\0" in line:
        return Wrong("a NUL character", "take it out")
    if "\r" in line:
        return Wrong("a line break in a field", FORM)
    fields = split_fields(line, strict=True)
    if isinstance(fields, str):
        return Wrong(f"malformed ({fields})", QUOTES)
    if len(fields) != len(HEADER):
        return Wrong(f"{len(fields)} tab-separated fields where {len(HEADER)} belong", FORM)
    entry = Entry(*fields)
    if entry.id.split() != [entry.id]:
        what = f"the id {entry.id!r} is empty or holds white space"
        return Wrong(what, "ids are single words")
    if not entry.text.strip():
        return Wrong("an empty passage", "write its text or remove the line")
    return entry


def _check_unique(path: str | Path, hashes: array[int]) -> None:
    """Raise InputError where an id stands twice; equal hashes are looked up in the file again."""
    ordered = np.sort(np.frombuffer(hashes, np.int64))
    suspects = set(ordered[:-1][ordered[:-1] == ordered[1:]].tolist())
    first: dict[str, int] = {}
    for number, line in numbered_lines(path) if suspects else ():
        name = split_fields(line, strict=True)[0]
        if number > 1 and hash(name) in suspects and first.setdefault(name, number) != number:
            what = f"the id {name!r} also stands on line {first[name]}"
            raise InputError(what, file=path, line=number, remedy="ids must be unique")


def write_passage_file(path: str | Path, entries: Iterable[Entry]) -> int:
    """Write a passage file that `read_passage_file` and DPR's reader read back unchanged.

    Returns the number of passages. Raises ValueError for a line break inside a field.
    """
    count = 0
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        writer.writerow(HEADER)
        for entry in entries:
            if any("\n" in field or "\r" in field for field in entry):
                raise ValueError(f"passage {entry.id} holds a line break")
            writer.writerow(entry)
            count += 1
    return count
