"""Tidy CSV: what stages measure, for the report, other programs and people.

A table has a header and rows. Measurements of many kinds that belong to one thing (a training run,
a filter) are a table of `name,value`: nested names joined by slashes, values as in JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg.errors import InputError
from ecqg.files import atomic

if TYPE_CHECKING:
    from pandas import DataFrame

REMAKE = "make it again with 'dvc repro'"
VALUES = ("name", "value")


def write_table(path: str | Path, header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write UTF-8 CSV with line feeds, whole or not at all; None is an empty cell."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def read_table(path: str | Path, header: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a table, as text by column.

    Raises InputError, naming file and line, where it is missing, has other columns, or a row has
    more or fewer cells.
    """
    if not Path(path).is_file():
        raise InputError("no such table", file=path, remedy=REMAKE)
    with Path(path).open(encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        try:
            found = next(reader, [])
            if found != [*header]:
                what = f"columns {','.join(found)} where {','.join(header)} belong"
                raise InputError(what, file=path, line=1, remedy=REMAKE)
            for row in reader:
                if len(row) != len(header):
                    what = f"{len(row)} cells of {len(header)}"
                    raise InputError(what, file=path, line=reader.line_num, remedy=REMAKE)
                yield dict(zip(header, row, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            what = f"no CSV in UTF-8 ({error})"
            raise InputError(what, file=path, line=reader.line_num, remedy=REMAKE) from None


def read_frame(
    path: str | Path, header: Sequence[str], types: Mapping[str, Callable[[str], float]]
) -> DataFrame:
    """A table as a data frame: columns of `types` hold numbers, others text.

    A cell without a float is NaN. Raises InputError as `read_table`, and for what is no number.
    """
    from pandas import DataFrame

    rows = list(read_table(path, header))
    for line, row in enumerate(rows, 2):
        for name, kind in types.items():
            try:
                row[name] = kind(row[name] or "nan")  # type: ignore[assignment]
            except ValueError:
                what = f"{name} is {row[name]!r}"
                raise InputError(what, file=path, line=line, remedy=REMAKE) from None
    return DataFrame(rows, columns=[*header])


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
