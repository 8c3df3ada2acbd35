"""The premises for people: as a table with a row for each, and those that do not hold as a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.analysis.premises import HEADER
from ecqg.report.formats import Row, Table
from ecqg.report.names import shown
from ecqg.tables import number, read_table

LENGTH = 200  # characters of the line
Rows = list[dict[str, Any]]  # of one premise, by column of paths.PREMISES


def read_premises(file: Path = paths.PREMISES) -> list[Rows]:
    """The rows of each premise, NaN in empty cells of numbers; none where the stage did not run.

    Raises InputError naming file and line where the table is malformed.
    """
    if not file.is_file():
        return []
    numbers = dict.fromkeys(("here", "low", "high"), number)
    rows = read_table(file, HEADER, numbers)
    return [[*of] for _, of in groupby(rows, key=lambda row: row["premise"])]


def premise_table() -> Table:
    """All premises; of those that are measured of several things, it says of which."""
    cells = []
    for rows in read_premises():
        first, met = rows[0], {row["met"] for row in rows}
        measured = [row for row in rows if not np.isnan(row["here"])]
        here = (f"{shown(row['about'])} {_figure(row)}".strip() for row in measured)
        cells.append([
            f"{first['premise']} ({first['unit']})" if first["unit"] else first["premise"],
            first["published"],
            ", ".join(here) or "not measured",
            ", ".join(dict.fromkeys(filter(None, map(_target, rows)))),
            next((word for word in ("no", "yes") if word in met), ""),
        ])  # fmt: skip
    header = ["premise", "published", "this run", "target", "met"]
    return Table(header, [Row(of) for of in cells])


def premises_over_runs(runs: Sequence[Sequence[Rows]]) -> Table:
    """Those with a target: mean ± standard deviation over runs, and in how many it holds."""
    by_name = [{rows[0]["premise"]: rows for rows in run} for run in runs]
    cells = []
    for name, first in by_name[0].items():
        found = [run[name] for run in by_name if name in run]
        targets, *others = (dict.fromkeys(filter(None, map(_target, rows))) for rows in found)
        if not targets:
            continue
        same = all(other == targets for other in others)
        over = (_over_runs(row, [r for rows in found for r in rows]) for row in first)
        holds = sum(all(row["met"] != "no" for row in rows) for rows in found)
        cells.append([
            f"{name} ({first[0]['unit']})" if first[0]["unit"] else name,
            first[0]["published"],
            ", ".join(over),
            ", ".join(targets) if same else "each seed's own",
            f"{holds} of {len(runs)}",
        ])  # fmt: skip
    header = ["premise", "published", "here", "target", "seeds in which it holds"]
    return Table(header, [Row(of) for of in cells], "Premises of the papers")


def _over_runs(row: dict[str, Any], rows: Rows) -> str:
    """What `row` is about, with the mean of its figure over all rows about the same."""
    values = [other["here"] for other in rows if other["about"] == row["about"]]
    said = f"{shown(row['about'])} {_shown(float(np.mean(values)))}".strip()
    deviation = np.std(values, ddof=1) if len(values) > 1 else 0
    return f"{said} ± {deviation:.2g}" if deviation else said


def premise_line() -> str:
    """How many premises hold, and which do not, each by its figure that is furthest off.

    At most LENGTH characters, as long as one of them fits; empty where the stage did not run.
    """
    judged = [rows for rows in read_premises() if any(row["met"] for row in rows)]
    failed = [bad for rows in judged if (bad := [row for row in rows if row["met"] == "no"])]
    line = f"premises: {len(judged) - len(failed)} of {len(judged)} hold"
    if not failed:
        return line if judged else ""
    said = []
    for rows in failed:
        worst = max(rows, key=lambda r: np.nanmax([r["low"] - r["here"], r["here"] - r["high"]]))
        figure = f"{worst['premise']} {_figure(worst)} {worst['unit']}".strip()
        said.append(f"{figure} ({_target(worst)})")
    for n in range(len(said), 0, -1):
        more = f" and {len(said) - n} more" if n < len(said) else ""
        named = f"{line}; not: {', '.join(said[:n])}{more}"
        if len(named) <= LENGTH:
            break
    return named


def _figure(row: dict[str, Any]) -> str:
    """What a run has, with more digits where it would look as its range's end, which it misses."""
    short = _shown(row["here"])
    missed = row["met"] == "no" and short in (_shown(row["low"]), _shown(row["high"]))
    return f"{row['here']:.5g}" if missed else short


def _target(row: dict[str, Any]) -> str:
    """A range in words; nothing where none is asked for."""
    least, most = _shown(row["low"]), _shown(row["high"])
    if least and most:
        return f"{least} to {most}"
    return f"≥ {least}" if least else f"≤ {most}" if most else ""


def _shown(value: float) -> str:
    """Three digits, or the whole part of a number from 100 on; nothing for NaN."""
    if np.isnan(value):
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
