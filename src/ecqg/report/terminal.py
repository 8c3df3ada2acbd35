"""The results of the last run, and experiments side by side, in the terminal.

`dvc exp show` has a column for each metric of each system, which no screen is wide enough for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from ecqg import paths
from ecqg.errors import InputError, printable
from ecqg.report.formats import Table
from ecqg.report.layout import (
    RANKING_MEASURES,
    accuracy_table,
    attention_difference_table,
    attention_table,
    difference_table,
    ranking_table,
)
from ecqg.report.results import Study, read_results
from ecqg.report.stale import complaints
from ecqg.tables import flat_values

PAIRS = 4  # of systems; the page has more
WHERE = {
    "All tables, charts and generated questions, in a browser": paths.REPORT_HTML,
    "The essence": paths.REPORT,
    "Accuracy with confidence intervals": paths.ACCURACY_PICTURE,
    "Attention on one passage, system by system": paths.HEATMAP_PNG,
    "The same in a browser": paths.HEATMAP_HTML,
}
METRICS = 12  # columns of experiments at most
HIDDEN = ("--hide-queued", "--hide-failed")


def show(study: Study, console: Console | None = None) -> None:
    """Print accuracies, differences and attention of a study, and where the pictures are.

    First comes what does not match params.yaml.

    Raises InputError where the study was not run yet.
    """
    results = read_results(study)
    console = console or Console()
    for line in complaints(results):
        console.print(Text(printable(line), style="bold"), soft_wrap=True)
    pairs = study.pairs["trained"][:PAIRS]
    tables = (
        accuracy_table(results, (1, 5), hidden=study.references),
        *([] if study.embedded else [ranking_table(results, RANKING_MEASURES[0])]),
        difference_table(results, 1, pairs),
        attention_table(results, hidden=study.references),
        attention_difference_table(results, pairs),
    )
    show_tables(tables, console)
    console.print()
    for what, path in WHERE.items():
        if path.is_file():
            console.print(Text(f"{what}: {path}"), soft_wrap=True)
    console.print(Text("All plots: dvc plots show"))


def show_tables(tables: Iterable[Table], console: Console, words: Container[int] = (0,)) -> None:
    """Print tables with caption and notes, those without rows apart; columns `words` hold text.

    The best of a row is bold, published rows are in italics. Names may come from files: what would
    steer the terminal is shown instead.
    """
    for table in tables:
        if not table.rows:
            continue
        drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False)
        for number, name in enumerate(table.header):
            side: Literal["left", "right"] = "left" if number in words else "right"
            drawn.add_column(Text(printable(name)), justify=side, no_wrap=True)
        for row in table.rows:
            cells = (Text(printable(c), "bold" * (i in row.best)) for i, c in enumerate(row.cells))
            drawn.add_row(*cells, style="italic dim" if row.published else "")
        _widen(console, drawn)
        console.print(Text(f"\n{printable(table.caption)}", style="bold"))
        console.print(drawn)
        for note in table.notes:
            console.print(Text(printable(note), style="dim"))


def _widen(console: Console, table: RichTable) -> None:
    """Give a console room for a table: rather wrapped by the terminal than cut short."""
    needed = Measurement.get(console, console.options.update(width=1000), table).maximum
    console.width = max(console.width, needed)


def show_experiments(system: str, console: Console | None = None) -> None:
    """Print a row for the workspace, the last commit and each experiment that began from it.

    It has the parameters that differ, and the headline of one system. Raises InputError where DVC
    cannot list them, or nothing has metrics of `system`.
    """
    command = [str(Path(sys.executable).parent / "dvc"), "exp", "show", "--json", *HIDDEN]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode:
        raise InputError(" ".join(listed.stderr.split()), remedy="see 'dvc exp show'")
    file = paths.METRICS / f"{system}.json"
    runs = [
        (name, _flat(state, "metrics", file.as_posix()), _flat(state, "params", "params.yaml"))
        for name, state in _states(json.loads(listed.stdout))
    ]
    metrics = list(dict.fromkeys(name for _, values, _ in runs for name in values))
    if not metrics:
        raise InputError("no run has these metrics", file=file, remedy="name another system")
    # What is told apart by few columns: top-1, then attention.
    metrics = [name for name in metrics if not name.endswith("/top5")][:METRICS]
    known = dict.fromkeys(name for _, _, of in runs for name in of)
    # A run that failed has no parameters.
    differing = [n for n in known if len({repr(of.get(n)) for _, _, of in runs if of}) > 1]
    table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in (system, *differing):
        table.add_column(Text(printable(name).replace("/", "\n")), no_wrap=True)
    for name in metrics:  # such as nq_like/top1, in lines: so a dozen fit in 160 columns
        header = Text(printable(name).replace("_", "\n").replace("/", "\n"))
        table.add_column(header, justify="right", no_wrap=True)
    for name, values, parameters in runs:
        cells = [parameters.get(key, "") for key in differing]
        cells += [values.get(key, "") for key in metrics]
        table.add_row(*(Text(printable(str(cell))) for cell in (name, *cells)))
    console = console or Console()
    _widen(console, table)
    console.print(table)


def _states(listed: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each run with its name: of commits, and of the experiments that began from them."""
    for commit in listed:
        rev = commit["rev"]
        yield commit.get("name") or (rev if rev == "workspace" else rev[:7]), commit
        for experiment in commit.get("experiments") or ():
            for state in experiment["revs"][:1]:
                yield f"  {experiment.get('name') or state['rev'][:7]}", state


def _flat(state: Mapping[str, Any], kind: str, file: str) -> dict[str, Any]:
    """A run's metrics or parameters of a file, by whole name."""
    found = ((state.get("data") or {}).get(kind) or {}).get(file, {})
    return dict(flat_values(found.get("data") or {}))
