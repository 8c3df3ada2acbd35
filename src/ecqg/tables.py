"""Tidy CSV: what stages measure, for the report, other programs and people.

A table has a header and rows. Measurements of many kinds that belong to one thing (a training run,
a filter) are a table of `name,value`: nested names joined by slashes, values as in JSON.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
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
    import pandas as pd

    # As text: pandas would write NaN as it writes None.
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    frame = pd.DataFrame(cells, columns=[*header], dtype=object)
    with atomic(path) as aside:
        frame.to_csv(aside, index=False, lineterminator="\n", encoding="utf-8")


def read_frame(
    path: str | Path,
    header: Sequence[str],
    types: Types = MappingProxyType({}),
    remedy: str = REMAKE,
) -> DataFrame:
    """A table as a data frame: text, but for the columns that `types` converts.

    Raises InputError with that remedy, naming file and line, where it is missing, was cut short, is
    no CSV in UTF-8 or has other columns, a row has more or fewer cells, or a conversion of a cell
    raises ValueError.
    """
    import pandas as pd

    wrong = partial(InputError, file=path, remedy=remedy)
    if not Path(path).is_file():
        raise wrong("no such file")
    text = "".join(f"{line}\n" for _, line in numbered_lines(path, ended=True))
    found, wanted = text.partition("\n")[0], ",".join(header)
    if found != wanted:
        raise wrong(f"'{found}' where '{wanted}' belongs", line=1)
    lines = io.StringIO(text)
    try:
        # The C engine takes stray quotes and short rows. A header would let the first row be longer
        # than it, as if it began with an index.
        frame = pd.read_csv(
            lines, header=None, dtype=str, na_filter=False, skip_blank_lines=False, engine="python"
        )
    except pd.errors.ParserError as error:
        told = re.search("in line ([0-9]+)", str(error))
        line = int(told[1]) if told else text.count("\n", 0, lines.tell())
        raise wrong(f"no CSV ({error})", line=line) from None
    frame = frame[1:].set_axis([*header], axis=1).reset_index(drop=True)
    for line, cells in enumerate(frame.notna().sum(axis=1), 2):
        if cells < len(header):
            raise wrong(f"{cells} cells where {len(header)} belong", line=line)
    for name, kind in types.items():
        values = []
        for line, cell in enumerate(frame[name], 2):
            try:
                values.append(kind(cell))
            except ValueError:
                raise wrong(f"{name} is {cell!r}", line=line) from None
        frame[name] = values
    return frame


def read_table(path: str | Path, header: Sequence[str]) -> list[dict[str, str]]:
    """Rows of a table, as text by column. Raises InputError as `read_frame`."""
    rows = read_frame(path, header).itertuples(index=False, name=None)
    return [dict(zip(header, row, strict=True)) for row in rows]


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
