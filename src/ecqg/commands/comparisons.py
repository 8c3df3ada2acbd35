"""Compare runs: experiments, seeds, control systems."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say
from ecqg.commands.verdict import SEEDS, known_claims


def experiments(
    system: Annotated[str, typer.Option(help="whose metrics: a file of metrics/")] = "mixed",
) -> None:
    """Compare experiments: the parameters that differ, and the headline of a system."""
    from ecqg.report.terminal import show_experiments

    show_experiments(system)


def seeds(
    runs: Annotated[
        list[str], typer.Argument(help="Git revisions, DVC experiments or kept .zip, one a seed")
    ],
    csv: Annotated[Path, typer.Option(help="where the table of all metrics, by seed, goes")] = Path(
        "data/seeds.csv"
    ),
    keep: Annotated[
        Path | None,
        typer.Option(help="a folder for each run's results as seed-N.zip, to be named here"),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="draw the claims, too, to this PNG")] = None,
) -> None:
    """Compare runs that differ in their seed: print a page in Markdown, write a table as CSV.

    Beside the table a file of JSON has the seeds' parameters, for 'ecqg verify'.
    """
    from ecqg.report.claims_picture import draw_claims
    from ecqg.report.revisions import extract_seeds, parameters_of
    from ecqg.report.seed_trees import read_trees
    from ecqg.report.seeds import judge_seeds, summarise_seeds, write_numbers, write_parameters

    claims = known_claims()
    with tempfile.TemporaryDirectory() as folder:
        trees = extract_seeds(runs, Path(folder), keep)
        of_seeds = (parameters_of(name)[0] for name in runs)
        write_parameters(dict(zip(trees, of_seeds, strict=True)), csv.with_suffix(".json"))
        read = read_trees(trees)
        rows = write_numbers(read, csv)
        judged = judge_seeds(read, claims)
        say(summarise_seeds(read, csv.name, judged))
    if picture:
        draw_claims(picture, judged)
    typer.echo(f"{csv}: {rows:,} rows", err=True)


def controls(
    revisions: Annotated[
        list[str], typer.Argument(help="Git revisions, DVC experiments or kept .zip, one a seed")
    ],
    picture: Annotated[Path | None, typer.Option(help="draw it, too, to this PNG")] = None,
    less: Annotated[
        list[str] | None,
        typer.Option(help="a system that the others are compared to, in place of dpr and uncon"),
    ] = None,
) -> None:
    """Say over seeds which ingredient of synthetic questions does it: print tables in Markdown."""
    from ecqg.params import build_params
    from ecqg.report import markdown
    from ecqg.report.controls import BASELINES, controls_tables, draw_controls
    from ecqg.report.revisions import extract_seeds, parameters_of
    from ecqg.report.seed_trees import read_trees

    params = build_params(*parameters_of(revisions[0]))
    with tempfile.TemporaryDirectory() as folder:
        trees = read_trees(extract_seeds(revisions, Path(folder)))
    dense = params.systems.dense
    bases = less or BASELINES
    tables = controls_tables(trees, dense, params.pretrained, params.question_sets, bases)
    say("\n\n".join(markdown.table(table).strip() for table in tables))
    if picture:
        draw_controls(picture, trees, dense, params.pretrained)


def compare_revisions(
    base: Annotated[str, typer.Argument(help="a Git revision or DVC experiment, such as main")],
    head: Annotated[str, typer.Argument(help="another; else the files here")] = "workspace",
    md: Annotated[bool, typer.Option("--md", help="as a comment on a pull request")] = False,
    tolerance: Annotated[
        float | None, typer.Option(min=0, help="status 1 where an accuracy falls by more points")
    ] = None,
    pictures: Annotated[
        str, typer.Option(help="where the head's files are shown from, for --md: .../raw/COMMIT")
    ] = "",
) -> None:
    """Say what differs between two revisions: parameters, and metrics beyond the noise of seeds.

    Noise is that of docs/seeds.csv, whatever study that is of.
    """
    from rich.console import Console

    from ecqg.report.compare import as_markdown, compare, line, tables
    from ecqg.report.terminal import show_tables
    from ecqg.report.verdict import read_spread

    found = compare(base, head, read_spread(SEEDS))
    if md:
        typer.echo(as_markdown(found, tolerance, pictures), nl=False)
    else:
        say(line(found, tolerance))
        show_tables(tables(found), Console())
    if tolerance is not None and found.fallen(tolerance):
        raise typer.Exit(1)
