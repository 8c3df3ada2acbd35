"""Tidy CSV: what stages measure, for the report, other programs and people.

A table has a header and rows. Measurements of many kinds that belong to one thing (a training run,
a filter) are a table of `name,value`: nested names joined by slashes, values as in JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ecqg.corpus.lines import numbered_lines
from ecqg.errors import InputError
from ecqg.files import atomic, conform, parse_json

if TYPE_CHECKING:
    from pandas import DataFrame

Types = Mapping[str, Callable[[str], Any]]  # of some columns: what makes a value of a cell

REMAKE = "make it again with 'dvc repro'"
VALUES = ("name", "value")
Value: Any = str | int | float | bool | None


def write_table(path: str | Path, header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write UTF-8 CSV with line feeds, whole or not at all; None is an empty cell."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(chain([header], rows))


def read_frame(
    path: str | Path,
    header: Sequence[str],
    types: Types = MappingProxyType({}),
    remedy: str = REMAKE,
) -> DataFrame:
    """A table as a data frame. Raises InputError as `read_table`."""
    import pandas as pd

    return pd.DataFrame(read_table(path, header, types, remedy), columns=[*header])


def read_table(
    path: str | Path,
    header: Sequence[str],
    types: Types = MappingProxyType({}),
    remedy: str = REMAKE,
) -> list[dict[str, Any]]:
    """Rows of a table by column: text, but for the columns that `types` converts.

    Raises InputError with that remedy, naming file and line, where it is missing, was cut short, is
    no CSV in UTF-8 or has other columns, a row has more or fewer cells, or a conversion of a cell
    raises ValueError.
    """
    wrong = partial(InputError, file=path, remedy=remedy)
    if not Path(path).is_file():
        raise wrong("no such file")
    lines = (f"{line}\n" for _, line in numbered_lines(path, ended=True))
    found, wanted = next(lines, "").removesuffix("\n"), ",".join(header)
    if found != wanted:
        raise wrong(f"'{found}' where '{wanted}' belongs", line=1)
    rows: list[dict[str, Any]] = []
    reader = csv.reader(lines, strict=True)
    try:
        for cells in reader:
            line = 1 + reader.line_num
            if len(cells) != len(header):
                raise wrong(f"{len(cells)} cells where {len(header)} belong", line=line)
            row: dict[str, Any] = dict(zip(header, cells, strict=True))
            for name, kind in types.items():
                try:
                    row[name] = kind(row[name])
                except ValueError:
                    raise wrong(f"{name} is {row[name]!r}", line=line) from None
            rows.append(row)
    except csv.Error as error:
        raise wrong(f"no CSV ({error})", line=1 + reader.line_num) from None
    return rows


def number(cell: str) -> float:
    """A number, NaN where the cell is empty."""
    return float(cell or "nan")


def write_values(path: str | Path, values: Mapping[str, Any]) -> None:
    """Write nested measurements, in the order in which they were inserted."""
    rows = ((name, json.dumps(value, ensure_ascii=False)) for name, value in flat_values(values))
    write_table(path, VALUES, rows)


def read_values(path: str | Path) -> dict[str, Any]:
    """Read what `write_values` wrote. Raises InputError as `read_frame`, and for no value."""
    found: dict[str, Any] = {}
    for number, row in enumerate(read_table(path, VALUES), 2):
        *folders, name = row["name"].split("/")
        inner = found
        try:
            for folder in folders:
                inner = inner.setdefault(folder, {})
            inner[name] = conform(parse_json(row["value"]), Value)
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
