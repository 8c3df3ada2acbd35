"""Experiments side by side: the parameters that differ, and the headline of one system.

`dvc exp show` has a column for each metric of each system, which no screen is wide enough for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ecqg import paths
from ecqg.errors import InputError
from ecqg.tables import flat_values

METRICS = 12  # columns at most
HIDDEN = ("--hide-queued", "--hide-failed")


def show_experiments(system: str, console: Console | None = None) -> None:
    """Print a row for the workspace, the last commit and each experiment that began from it.

    Raises InputError where DVC cannot list them, or nothing has metrics of `system`.
    """
    command = [str(Path(sys.executable).parent / "dvc"), "exp", "show", "--json", *HIDDEN]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode:
        raise InputError(" ".join(listed.stderr.split()), remedy="see 'dvc exp show'")
    rows = [(name, *_numbers(found, system)) for name, found in _states(json.loads(listed.stdout))]
    metrics = list(dict.fromkeys(name for _, values, _ in rows for name in values))
    if not metrics:
        file = paths.METRICS / f"{system}.json"
        raise InputError("no run has these metrics", file=file, remedy="name another system")
    # What is told apart by few columns: top-1, then attention.
    metrics = [name for name in metrics if not name.endswith("/top5")][:METRICS]
    known = dict.fromkeys(name for _, _, of in rows for name in of)
    # A run that failed has no parameters.
    differing = [n for n in known if len({repr(of.get(n)) for _, _, of in rows if of}) > 1]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(Text(system), no_wrap=True)
    for name in differing:
        table.add_column(Text(name.replace("/", "\n")), no_wrap=True)
    for name in metrics:
        table.add_column(_header(name), justify="right", no_wrap=True)
    for row, values, parameters in rows:
        cells = [Text(str(parameters.get(name, ""))) for name in differing]
        cells += [Text(str(values.get(name, ""))) for name in metrics]
        table.add_row(Text(row), *cells)
    console = console or Console()
    needed = Measurement.get(console, console.options.update(width=1000), table).maximum
    console.width = max(console.width, needed)  # rather wrapped by the terminal than cut short
    console.print(table)


def _short(revision: str) -> str:
    return revision if revision == "workspace" else revision[:7]


def _header(name: str) -> Text:
    """A metric's name, such as nq_like/top1, in lines: so a dozen fit in 160 columns."""
    return Text(name.replace("_", "\n").replace("/", "\n"))


def _states(listed: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each run with its name: of commits, and of the experiments that began from them."""
    for commit in listed:
        yield commit.get("name") or _short(commit["rev"]), commit
        for experiment in commit.get("experiments") or ():
            for state in experiment["revs"][:1]:
                yield f"  {experiment.get('name') or _short(state['rev'])}", state


def _numbers(state: Mapping[str, Any], system: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run's metrics of a system and its parameters, by name."""
    data = state.get("data") or {}
    file = (paths.METRICS / f"{system}.json").as_posix()
    metrics = (data.get("metrics") or {}).get(file, {}).get("data") or {}
    parameters = (data.get("params") or {}).get("params.yaml", {}).get("data") or {}
    return dict(flat_values(metrics)), dict(flat_values(parameters))
