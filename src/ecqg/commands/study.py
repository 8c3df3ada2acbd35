"""Run the study of params.yaml and show what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import complain, say
from ecqg.commands.verdict import SEEDS, judge
from ecqg.errors import InputError


def repro(
    targets: Annotated[
        list[str] | None, typer.Argument(help="stages, with what they need; all where none")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="stages at a time; else one a processor or GPU, at least two",
        ),
    ] = None,
) -> None:
    """Do what 'dvc repro' does, with independent stages side by side.

    A stage computes in one thread, or, with ECQG_NUMERICS=native, in its share of the processors.
    For large models, which fill memory or a GPU one by one, 'dvc repro' is the better command.
    Where params.yaml has no question sets, only what retrieval needs is run. At the end of the
    whole study a line says which premises of the papers do not hold, and one where to look.
    """
    from ecqg.closure import list_again
    from ecqg.params import load_params
    from ecqg.paths import HEATMAP_HTML, REPORT_HTML
    from ecqg.pipeline.reproduce import default_jobs, reproduce_side_by_side
    from ecqg.pipeline.times import read_times
    from ecqg.planning.plan import expectation
    from ecqg.processes import refuse_copies
    from ecqg.report.premises import premise_line
    from ecqg.report.run_page import write_run_page
    from ecqg.signals import allow
    from ecqg.systems import RETRIEVAL_ALONE

    refuse_copies()
    allow(1.5)  # seconds; stages have one
    params = load_params()  # before DVC puts names from it into paths
    list_again()
    wanted = targets or ([] if params.question_sets else RETRIEVAL_ALONE)
    if not reproduce_side_by_side(wanted, jobs or default_jobs(), expectation(params)):
        raise typer.Exit(1)
    if not wanted:
        if line := premise_line():
            say(line)
        if SEEDS.is_file() and params.source == "microcosm":  # of whose seeds they are
            try:
                say(f"{judge(SEEDS, finished=True).line}. More: ecqg verify")
            except InputError as error:
                say(f"Not compared with the committed seeds: {error}")
        if REPORT_HTML.is_file():
            page = write_run_page(read_times())
            say(f"Look at {page} in a browser; 'ecqg table' prints the essence")
    elif not targets:
        say(f"Look at {HEATMAP_HTML} in a browser; 'ecqg table' prints the accuracies")


def table() -> None:
    """Show the results of the last run, and where the pictures are."""
    from ecqg.params import load_params
    from ecqg.report.terminal import show
    from ecqg.stages.report import study

    show(study(load_params()))


def verify(
    seeds: Annotated[Path, typer.Option(help="the table of 'ecqg seeds' to compare with")] = SEEDS,
) -> None:
    """Say whether the last run agrees with the committed seeds, metric by metric, claim by claim.

    Exit status 0: it agrees. 1: it differs. 2: they cannot be compared.
    """
    from rich.console import Console

    from ecqg.report.terminal import show_tables

    try:
        found = judge(seeds, finished=False)
    except InputError as error:
        complain(error)
        raise typer.Exit(2) from None
    say(found.line)
    show_tables(found.tables, Console())
    if not found.agrees:
        raise typer.Exit(1)
