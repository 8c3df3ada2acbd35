"""The results of the last run, in the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from ecqg import paths
from ecqg.errors import printable
from ecqg.report.layout import (
    Table,
    accuracy_table,
    attention_difference_table,
    attention_table,
    difference_table,
)
from ecqg.report.results import Study, read_results
from ecqg.report.stale import complaints

PAIRS = 4  # of systems; the page has more
WHERE = {
    "The whole report": paths.REPORT,
    "Accuracy with confidence intervals": paths.ACCURACY_PICTURE,
    "Attention on one passage, system by system": paths.HEATMAP_PNG,
    "The same in a browser": paths.HEATMAP_HTML,
}


def show(study: Study, console: Console | None = None) -> None:
    """Print accuracies, differences and attention of a study, and where the pictures are.

    First comes what does not match params.yaml.

    Raises InputError where the study was not run yet.
    """
    results = read_results(study)
    console = console or Console()
    for line in complaints(results):
        console.print(Text(line, style="bold"), soft_wrap=True)
    pairs = study.pairs["trained"][:PAIRS]
    tables = [
        accuracy_table(results, (1, 5), hidden=study.references),
        difference_table(results, 1, pairs),
        attention_table(results, hidden=study.references),
        attention_difference_table(results, pairs),
    ]
    for table in tables:
        if table.rows:
            drawn = render(table)
            # Rather wrapped by the terminal than cut short.
            needed = Measurement.get(console, console.options.update(width=1000), drawn).maximum
            console.width = max(console.width, needed)
            console.print(Text(f"\n{printable(table.caption)}", style="bold"))
            console.print(drawn)
            for note in table.notes:
                console.print(Text(printable(note), style="dim"))
    console.print()
    for what, path in WHERE.items():
        if path.is_file():
            console.print(Text(f"{what}: {path}"), soft_wrap=True)
    console.print(Text("All plots: dvc plots show"))


def render(table: Table) -> RichTable:
    """A table for rich: the best of a row bold, published rows in italics.

    Names may come from files: what would steer the terminal is shown instead.
    """
    out = RichTable(box=box.SIMPLE_HEAD, show_edge=False)
    for number, name in enumerate(table.header):
        out.add_column(Text(printable(name)), justify="right" if number else "left", no_wrap=True)
    for row in table.rows:
        style = "italic dim" if row.published else ""
        cells = [
            Text(printable(c), "bold" if i in row.best else "") for i, c in enumerate(row.cells)
        ]
        out.add_row(*cells, style=style)
    return out
