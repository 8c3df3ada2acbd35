"""Tidy CSV: what stages measure, for the report, other programs and people.

A table has a header and rows. Measurements of many kinds that belong to one thing (a training run,
a filter) are a table of `name,value`: nested names joined by slashes, values as in JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ecqg.corpus.lines import numbered_lines
from ecqg.errors import InputError
from ecqg.files import atomic

if TYPE_CHECKING:
    from pandas import DataFrame

Types = Mapping[str, Callable[[str], Any]]  # of some columns: what makes a value of a cell

REMAKE = "make it again with 'dvc repro'"
VALUES = ("name", "value")


def write_table(path: str | Path, header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write UTF-8 CSV with line feeds, whole or not at all; None is an empty cell."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def read_rows(
    path: str | Path,
    header: Sequence[str],
    types: Types = MappingProxyType({}),
    remedy: str = REMAKE,
) -> Iterator[list[Any]]:
    """Rows of a table, cell by cell: text, but for the columns that `types` converts.

    Raises InputError with that remedy, naming file and line, where it is missing, was cut short, is
    no CSV in UTF-8 or has other columns, a row has more or fewer cells, or a conversion of a cell
    raises ValueError.
    """
    if not Path(path).is_file():
        raise InputError("no such file", file=path, remedy=remedy)
    lines = (f"{line}\n" for _, line in numbered_lines(path, ended=True))
    rows = csv.reader(lines, strict=True)
    convert = {header.index(name): kind for name, kind in types.items()}
    try:
        if (found := next(rows, [])) != [*header]:
            what = f"'{','.join(found)}' where '{','.join(header)}' belongs"
            raise InputError(what, file=path, line=1, remedy=remedy)
        for row in rows:
            if len(row) != len(header):
                what = f"{len(row)} cells where {len(header)} belong"
                raise InputError(what, file=path, line=rows.line_num, remedy=remedy)
            cells: list[Any] = [*row]
            for place, kind in convert.items():
                try:
                    cells[place] = kind(row[place])
                except ValueError:
                    what = f"{header[place]} is {row[place]!r}"
                    raise InputError(what, file=path, line=rows.line_num, remedy=remedy) from None
            yield cells
    except csv.Error as error:
        what = f"no CSV ({error})"
        raise InputError(what, file=path, line=rows.line_num, remedy=remedy) from None


def read_table(path: str | Path, header: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a table, as text by column. Raises InputError as `read_rows`."""
    return (dict(zip(header, row, strict=True)) for row in read_rows(path, header))


def read_frame(path: str | Path, header: Sequence[str], types: Types) -> DataFrame:
    """A table as a data frame, columns as `read_rows` converts them."""
    from pandas import DataFrame

    return DataFrame(read_rows(path, header, types), columns=[*header])


def number(cell: str) -> float:
    """A number, NaN where the cell is empty."""
    return float(cell or "nan")


def write_values(path: str | Path, values: Mapping[str, Any]) -> None:
    """Write nested measurements, in the order in which they were inserted."""
    rows = ((name, json.dumps(value, ensure_ascii=False)) for name, value in flat_values(values))
    write_table(path, VALUES, rows)


def read_values(path: str | Path) -> dict[str, Any]:
    """Read what `write_values` wrote. Raises InputError as `read_table`, and for no value."""
    found: dict[str, Any] = {}
    for number, row in enumerate(read_table(path, VALUES), 2):
        *folders, name = row["name"].split("/")
        inner = found
        try:
            for folder in folders:
                inner = inner.setdefault(folder, {})
            inner[name] = json.loads(row["value"])
        except (AttributeError, TypeError, ValueError):
            what = f"{row['name']} is {row['value']!r}"
            raise InputError(what, file=path, line=number, remedy=REMAKE) from None
    return found


def flat_values(values: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested measurements by their whole names."""
    if isinstance(values, Mapping | list | tuple):
        items = values.items() if isinstance(values, Mapping) else enumerate(values, 1)
        for key, inner in items:
            yield from flat_values(inner, f"{name}/{key}" if name else str(key))
    else:
        yield name, values
